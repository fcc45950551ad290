//! The names that models go by: with a date behind, a gateway or a region before. Only what
//! cannot make another model of it is taken off.

/// Providers by another name that is in use.
pub(super) fn provider(name: &str) -> &str {
    match name {
        "gemini" => "google",
        "x-ai" => "xai",
        "claude" => "anthropic",
        name => name,
    }
}

/// The ids that a model of this name may have in the catalogue, likeliest first.
pub(super) fn forms(name: &str) -> impl Iterator<Item = String> {
    let name = name.to_lowercase();
    let bare = name.rsplit('/').next().unwrap_or_default();
    let bare = bare.strip_prefix("agent:").unwrap_or(bare);
    // A model that was tuned further: `ft:gpt-4o-mini:acme::abc123`.
    let bare = bare.strip_prefix("ft:").and_then(|rest| rest.split(':').next()).unwrap_or(bare);
    // A region and a vendor: `us.anthropic.claude-sonnet-4-5`.
    let bare = bare.find("anthropic.").map_or(bare, |at| &bare[at + "anthropic.".len()..]);
    let mut forms = vec![bare.to_owned()];
    while let Some(shorter) = forms.last().and_then(|last| without_version(last)) {
        forms.push(shorter.to_owned());
    }
    forms.into_iter()
}

/// The name without a date or a word for its version at its end.
fn without_version(name: &str) -> Option<&str> {
    let at = name.rfind(['-', '@', ':'])?;
    let (rest, last) = (&name[..at], &name[at + 1..]);
    let digits = last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_digit());
    let version =
        last.strip_prefix('v').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    let word = matches!(last, "latest" | "preview" | "exp" | "0");
    (digits || version || word).then_some(rest)
}

/// How many letters have to be changed, added or taken away.
pub(super) fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, c) in left.chars().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, d) in right.iter().enumerate() {
            let changed = corner + usize::from(c != *d);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_names_another_model_is_not_taken_for_a_date() {
        let forms = |name: &str| forms(name).collect::<Vec<_>>();
        assert_eq!(forms("claude-opus-4-1"), ["claude-opus-4-1"]);
        assert_eq!(forms("o3-2025-04-16"), ["o3-2025-04-16", "o3-2025-04", "o3-2025", "o3"]);
        assert_eq!(forms("llama3:8b"), ["llama3:8b"]);
    }

    #[test]
    fn distance_counts_letters() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
        assert_eq!(distance("same", "same"), 0);
    }
}
