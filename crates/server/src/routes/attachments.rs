//! What comes with a question. What is no image under an image's name is refused before anything is
//! stored: a provider would refuse the whole prompt for it, now and whenever it is sent again.

use crate::problem::{Code, Problem};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dossier_core::chat::Image;
use dossier_engine::Attachment;
use serde::Deserialize;
use utoipa::ToSchema;

/// A text, or an image in base64.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AttachmentRequest {
    pub name: String,
    pub content: Option<String>,
    /// Of an image, such as `image/png`.
    pub mime_type: Option<String>,
    pub base64: Option<String>,
}

pub fn attachments(requests: Vec<AttachmentRequest>) -> Result<Vec<Attachment>, Problem> {
    requests.into_iter().map(attachment).collect()
}

fn attachment(request: AttachmentRequest) -> Result<Attachment, Problem> {
    match request {
        AttachmentRequest { name, content: Some(content), mime_type: None, base64: None } => {
            Ok(Attachment::Text { name, content })
        }
        AttachmentRequest { name, content: None, mime_type: Some(mime), base64: Some(base64) } => {
            let refused = |why| {
                let what = format!("the attachment `{name}` is not taken: {why}");
                Problem::new(Code::Invalid, what)
            };
            image(&mime, &base64).map(Attachment::Image).map_err(refused)
        }
        _ => Err(Problem::new(
            Code::Invalid,
            "an attachment has either content, or mime_type of an image and base64",
        )),
    }
}

/// An image, or why it is none.
pub fn image(mime: &str, base64: &str) -> Result<Image, &'static str> {
    // It becomes a part of an address (`data:image/png;base64,…`), where more would be read as more.
    let is_plain = |kind: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-+._".contains(&byte);
        !kind.is_empty() && kind.bytes().all(is_plain)
    };
    if !mime.strip_prefix("image/").is_some_and(is_plain) {
        return Err("its type is that of an image, as in image/png, and nothing else");
    }
    if base64.is_empty() || STANDARD.decode(base64).is_err() {
        return Err("base64 is the image's bytes in base64, padded and on one line");
    }
    Ok(Image { mime: mime.to_owned(), base64: base64.to_owned() })
}
