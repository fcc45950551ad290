//! What a node of ChatGPT's export says: its parts as one text, without marks that only the web
//! page understands.

use super::super::LeftOut;
use super::text;
use serde_json::Value;

/// What comes of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Said(String),
    LeftOut(LeftOut),
    /// The root, a failed answer, or a sign between tools.
    Nothing,
}

pub(super) fn of(message: &Value) -> Content {
    let Some(content) = message.get("content") else { return Content::Nothing };
    let kind = text(content.get("content_type")).unwrap_or("text");
    let said = match kind {
        "text" | "multimodal_text" => parts(content),
        "code" => code(content),
        "execution_output" | "system_error" => body(content),
        "tether_quote" => quote(content),
        "user_editable_context" => instructions(content),
        "thoughts" | "reasoning_recap" => return Content::LeftOut(LeftOut::Reasoning),
        "sonic_webpage" | "tether_browsing_display" => return Content::LeftOut(LeftOut::WebPages),
        // A kind of tomorrow is read if it looks like those of today.
        _ => match [parts(content), body(content)].into_iter().find(|said| !said.is_empty()) {
            Some(said) => said,
            None => return Content::LeftOut(LeftOut::UnknownKinds),
        },
    };
    let said = with_attachments(message, unmarked(&said));
    match said.trim() {
        "" => Content::Nothing,
        _ if is_hidden(message) => Content::LeftOut(LeftOut::Hidden),
        said => Content::Said(said.to_owned()),
    }
}

/// Whether the user never saw it: marked so, or what the program told the model.
fn is_hidden(message: &Value) -> bool {
    let set = |key: &str| message.pointer(key).and_then(Value::as_bool) == Some(true);
    let is_system = message.pointer("/author/role").and_then(Value::as_str) == Some("system");
    set("/metadata/is_visually_hidden_from_conversation")
        || (is_system && !set("/metadata/is_user_system_message"))
}

fn body(content: &Value) -> String {
    text(content.get("text")).unwrap_or_default().to_owned()
}

fn parts(content: &Value) -> String {
    let parts = content.get("parts").and_then(Value::as_array);
    let texts: Vec<String> = parts.into_iter().flatten().map(part).collect();
    texts.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join("\n")
}

/// A part: text, what was spoken, or the name of what cannot be read.
fn part(part: &Value) -> String {
    if let Some(text) = part.as_str() {
        return text.to_owned();
    }
    let pointer = text(part.get("asset_pointer"))
        .or_else(|| text(part.pointer("/audio_asset_pointer/asset_pointer")));
    let name = pointer.map(|pointer| pointer.rsplit('/').next().unwrap_or(pointer));
    match text(part.get("content_type")).unwrap_or_default() {
        "image_asset_pointer" => match text(part.pointer("/metadata/dalle/prompt")) {
            Some(prompt) => format!("[image {}: {prompt}]", name.unwrap_or("made")),
            None => format!("[image {}]", name.unwrap_or("without a name")),
        },
        "audio_transcription" => body(part),
        "audio_asset_pointer" => format!("[audio {}]", name.unwrap_or("without a name")),
        "real_time_user_audio_video_asset_pointer" | "video_container_asset_pointer" => {
            format!("[recording {}]", name.unwrap_or("without a name"))
        }
        _ => body(part),
    }
}

fn code(content: &Value) -> String {
    let code = body(content);
    if code.is_empty() {
        return code;
    }
    let language = text(content.get("language")).filter(|language| *language != "unknown");
    let fence = fence(&code);
    format!("{fence}{}\n{code}\n{fence}", language.unwrap_or_default())
}

/// A fence that the text cannot close.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

fn quote(content: &Value) -> String {
    let lines = ["title", "url", "text"].map(|key| text(content.get(key)));
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn instructions(content: &Value) -> String {
    let lines = ["user_profile", "user_instructions"].map(|key| text(content.get(key)));
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// The names of attached files, whose contents are not in the export.
fn with_attachments(message: &Value, mut said: String) -> String {
    let attached = message.pointer("/metadata/attachments").and_then(Value::as_array);
    for name in attached.into_iter().flatten().filter_map(|file| text(file.get("name"))) {
        if !said.is_empty() {
            said.push('\n');
        }
        said.push_str(&format!("[attachment {name}]"));
    }
    said
}

/// Where a mark begins and ends, and what divides its fields.
const BEGIN: char = '\u{e200}';
const END: char = '\u{e201}';
const DIVIDE: char = '\u{e202}';

/// The text without citation marks. Links and names that a mark carries stay as words.
fn unmarked(said: &str) -> String {
    let mut text = String::with_capacity(said.len());
    let mut rest = said;
    while let Some((before, mark)) = rest.split_once(BEGIN) {
        text.push_str(before);
        // Marks do not nest, so one that does not end has lost its end.
        rest = match mark.find([BEGIN, END]) {
            Some(end) if mark[end..].starts_with(END) => {
                text.push_str(&words_of(&mark[..end]));
                &mark[end + END.len_utf8()..]
            }
            _ => mark,
        };
    }
    text.push_str(rest);
    text.retain(|c| !(BEGIN..='\u{e2ff}').contains(&c));
    without_brackets(&text)
}

fn words_of(mark: &str) -> String {
    let fields: Vec<&str> = mark.split(DIVIDE).collect();
    match fields.as_slice() {
        ["url", title, link] => format!("{title} ({link})"),
        ["entity", entity] => {
            let fields: Vec<Value> = serde_json::from_str(entity).unwrap_or_default();
            text(fields.get(1)).unwrap_or_default().to_owned()
        }
        _ => String::new(),
    }
}

/// Older citations: `【12†source】`.
fn without_brackets(said: &str) -> String {
    let mut text = String::with_capacity(said.len());
    let mut rest = said;
    while let Some((before, mark)) = rest.split_once('【') {
        text.push_str(before);
        match mark.split_once('】') {
            Some((citation, after)) if citation.contains('†') && !citation.contains('\n') => {
                rest = after;
            }
            _ => {
                text.push('【');
                rest = mark;
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_the_web_page_leave_their_words_and_nothing_else() {
        let check = |said: &str, expected: &str| assert_eq!(unmarked(said), expected, "{said}");
        check("Rain\u{e200}cite\u{e202}turn0search3\u{e202}turn1news2\u{e201}.", "Rain.");
        check(
            "\u{e200}entity\u{e202}[\"city\",\"Oslo\",\"in Norway\"]\u{e201} is far",
            "Oslo is far",
        );
        check(
            "see \u{e200}url\u{e202}the page\u{e202}https://e.org\u{e201}",
            "see the page (https://e.org)",
        );
        check("cut \u{e200}cite", "cut cite");
        check("two \u{e200}cite \u{e200}cite\u{e202}x\u{e201}", "two cite ");
        check("so【4†source】 it 【is】", "so it 【is】");
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_code() {
        assert_eq!(fence("a"), "```");
        assert_eq!(fence("````\n``"), "`````");
    }
}
