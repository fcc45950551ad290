//! Why there are no vectors. Whatever it is, keywords still find things.

/// Why there are no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("search by meaning is switched off; choose the embedder `local` to switch it on")]
    Disabled,
    #[error("the embedding service at {host} {trouble}")]
    Service { host: String, trouble: Trouble },
}

/// What is wrong with an embedding service. None of it holds the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("cannot be reached: {0}; start it, or correct the URL")]
    Unreachable(String),
    #[error("gave no answer within {0} seconds; raise `timeout` or lower `batch` in its URL")]
    Silent(u64),
    #[error("refused with status {status}{said}; {mend}")]
    Refused { status: u16, said: String, mend: &'static str },
    #[error("answered with more than {0} MiB; lower `batch` in its URL")]
    TooLong(u64),
    #[error("sent no vectors: {0}; its URL goes up to and with /v1")]
    NoVectors(String),
    #[error("sent {got} vectors for {asked} texts, or not one for each; use another service")]
    Count { asked: usize, got: usize },
    #[error(
        "sent vectors of length {got}, not {expected}; check `dimensions` in its URL, and which model it runs"
    )]
    Dimension { expected: usize, got: usize },
    #[error("sent a vector of length {0}; there may be 1 to 16,000 numbers in one")]
    BadDimension(usize),
    #[error("sent a vector with something else than numbers in it; check which model it runs")]
    NotFinite,
}
