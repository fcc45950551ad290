//! Reading a document. Strings are taken as they stand where nothing in them is escaped.

use super::Json;

const DEEPEST: usize = 128;

pub(super) fn document(text: &str) -> Option<Json> {
    let mut reader = Reader { text, at: 0 };
    let json = reader.value(0)?;
    reader.space();
    (reader.at == text.len()).then_some(json)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Option<Json> {
        self.space();
        match self.peek()? {
            b'{' if depth < DEEPEST => self.object(depth),
            b'[' if depth < DEEPEST => self.list(depth),
            b'"' => self.string().map(Json::Text),
            b'n' => self.word("null", Json::Null),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        if self.take(b'}') {
            return Some(Json::Object(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            if !self.take(b':') {
                return None;
            }
            members.push((name, self.value(depth + 1)?));
            self.space();
            if self.take(b'}') {
                return Some(Json::Object(members));
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Json> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.take(b']') {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if self.take(b']') {
                return Some(Json::List(items));
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at;
        let mut escaped = false;
        loop {
            self.at += 1;
            match self.peek()? {
                b'"' => break,
                b'\\' => {
                    escaped = true;
                    self.at += 1;
                    self.peek()?;
                }
                0..b' ' => return None,
                _ => {}
            }
        }
        self.at += 1;
        let quoted = &self.text[start..self.at];
        if escaped {
            serde_json::from_str(quoted).ok()
        } else {
            Some(quoted[1..quoted.len() - 1].to_owned())
        }
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.at;
        self.take(b'-');
        let leading_zero = self.peek() == Some(b'0');
        let whole = self.digits();
        if whole == 0 || leading_zero && whole > 1 {
            return None;
        }
        if self.take(b'.') && self.digits() == 0 {
            return None;
        }
        if self.take(b'e') || self.take(b'E') {
            let _signed = self.take(b'+') || self.take(b'-');
            if self.digits() == 0 {
                return None;
            }
        }
        Some(Json::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        let found = self.text[self.at..].starts_with(word);
        self.at += word.len();
        found.then_some(value)
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}
