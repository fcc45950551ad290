//! What a web page says: its text without what is only for a browser. Every piece of it is a piece
//! of the page; characters that are written as names stay so, since a value must not change.

/// Elements whose content says nothing to a reader.
const SILENT: [&str; 10] =
    ["script", "style", "svg", "noscript", "template", "nav", "footer", "iframe", "form", "button"];
/// Elements that begin a line.
const BLOCKS: [&str; 24] = [
    "p",
    "div",
    "section",
    "article",
    "main",
    "header",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "ul",
    "ol",
    "tr",
    "table",
    "br",
    "hr",
    "pre",
    "blockquote",
    "title",
    "dt",
    "dd",
];

pub(super) fn text(page: &str) -> String {
    let mut text = String::with_capacity(page.len() / 4);
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        push(&mut text, &rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("<!--") {
            rest = rest.find("-->").map_or("", |end| &rest[end + 3..]);
            continue;
        }
        let Some(end) = rest.find('>') else { break };
        let tag = rest[1..end].trim_start_matches('/');
        let name: String = tag
            .chars()
            .take(12)
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        let opens = !rest.starts_with("</") && !rest[..end].ends_with('/');
        rest = &rest[end + 1..];
        if BLOCKS.contains(&name.as_str()) {
            break_line(
                &mut text,
                if name.starts_with('h') && name.len() == 2 && opens { "\n" } else { "" },
            );
        } else {
            push(&mut text, " ");
        }
        if opens && SILENT.contains(&name.as_str()) {
            rest = after_element(rest, &name);
        }
    }
    if !rest.starts_with('<') {
        push(&mut text, rest);
    }
    text.trim().to_owned()
}

/// What follows the end of an element. One that is not closed goes to the end.
fn after_element<'a>(text: &'a str, name: &str) -> &'a str {
    let mut at = 0;
    while let Some(found) = text[at..].find("</") {
        let start = at + found + 2;
        let end = start + name.len();
        if text.get(start..end).is_some_and(|own| own.eq_ignore_ascii_case(name)) {
            return text[end..].find('>').map_or("", |close| &text[end + close + 1..]);
        }
        at = start;
    }
    ""
}

fn push(text: &mut String, words: &str) {
    for (index, word) in words.split_whitespace().enumerate() {
        let spaced = index > 0 || words.starts_with(char::is_whitespace);
        if spaced && !text.is_empty() && !text.ends_with(char::is_whitespace) {
            text.push(' ');
        }
        text.push_str(word);
    }
    let trails = words.ends_with(char::is_whitespace);
    if trails && !text.is_empty() && !text.ends_with(char::is_whitespace) {
        text.push(' ');
    }
}

fn break_line(text: &mut String, more: &str) {
    let length = text.trim_end_matches(' ').len();
    text.truncate(length);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
        text.push_str(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_its_words() {
        let page = "<html><head><title>A &amp; B</title><style>x{}</style></head><body><nav>no</nav>\
                    <h1>Head</h1><p>One <b>two</b>.</p><!-- <p>no</p> --><script>if (a<b) {}</script><ul><li>x<li>y</ul>a<b";
        assert_eq!(text(page), "A &amp; B\nHead\nOne two .\nx\ny\na");
        assert_eq!(text("<script>"), "");
        assert_eq!(text("plain"), "plain");
    }
}
