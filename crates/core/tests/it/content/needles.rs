//! Errors, ids and amounts planted in a thousand generated payloads and logs: each stands in the
//! compressed text, or in what one expansion gives that the text points to.

use super::case;
use dossier_core::compress::content::Outcome;
use dossier_core::json::Path;
use dossier_core::refs::{Request, Slice, expand, names};
use std::collections::BTreeMap;

/// Numbers that are the same in every run.
struct Seed(u64);

impl Seed {
    fn next(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }

    fn word(&mut self) -> &'static str {
        const WORDS: [&str; 12] = [
            "alpha", "river", "orange", "ledger", "window", "stone", "paper", "signal", "garden",
            "copper", "basket", "harbour",
        ];
        WORDS[self.next(WORDS.len())]
    }

    fn sentence(&mut self) -> String {
        let words: Vec<&str> = (0..6 + self.next(12)).map(|_| self.word()).collect();
        format!("The {}.", words.join(" "))
    }
}

/// What is planted.
struct Needles {
    error: String,
    id: String,
    amount: String,
}

impl Needles {
    fn new(seed: &mut Seed) -> Self {
        let error = match seed.next(3) {
            0 => format!("TypeError: cannot read {} of {}", seed.word(), seed.next(90_000)),
            1 => format!("error[E{:04}]: mismatched {}", seed.next(9_000), seed.word()),
            _ => format!("fatal: {} {} is gone", seed.word(), seed.next(90_000)),
        };
        let id = match seed.next(3) {
            0 => format!("ORD-{}", 10_000 + seed.next(80_000)),
            1 => format!("usr_{:010x}7", seed.next(usize::MAX)),
            _ => format!("{:08x}-1111-4222-8333-{:012x}", seed.next(1 << 30), seed.next(1 << 40)),
        };
        let amount = match seed.next(3) {
            0 => format!("${},{:03}.{:02}", 1 + seed.next(900), seed.next(1_000), seed.next(100)),
            1 => format!("{}.{:02} €", 10_000 + seed.next(90_000), seed.next(100)),
            _ => format!("{}.5%", 10_000 + seed.next(90_000)),
        };
        Self { error, id, amount }
    }
}

/// A list of objects, one of which has the needles.
fn list(seed: &mut Seed, needles: &Needles) -> String {
    let count = 20 + seed.next(80);
    let planted = seed.next(count);
    let key = ["error", "message", "detail"][seed.next(3)];
    let items: Vec<String> = (0..count)
        .map(|n| {
            let (error, id, amount) = if n == planted {
                (format!("\"{}\"", needles.error), needles.id.clone(), needles.amount.clone())
            } else {
                ("null".to_owned(), format!("X-{n}"), format!("{n}.00"))
            };
            let note = seed.sentence();
            format!(
                r#"{{"n":{n},"order":"{id}","total":"{amount}","note":"{note}","{key}":{error}}}"#
            )
        })
        .collect();
    match seed.next(3) {
        0 => format!("[{}]", items.join(",")),
        1 => format!(r#"{{"count":{count},"rows":[{}],"page":1}}"#, items.join(",")),
        _ => items.join("\n"),
    }
}

/// Objects in objects, with the needles at the bottom of one of them.
fn nested(seed: &mut Seed, needles: &Needles) -> String {
    let planted = seed.next(40);
    let members: Vec<String> = (0..40)
        .map(|n| {
            let inner = if n == planted {
                format!(
                    r#"{{"a":{{"b":[[{{"why":"{}"}}],"{}","{}"]}}}}"#,
                    needles.error, needles.id, needles.amount
                )
            } else {
                format!(
                    r#"{{"a":{{"b":[[{{"why":"{}"}}],"{}","{n}"]}}}}"#,
                    seed.sentence(),
                    seed.word()
                )
            };
            format!("\"{}{n}\":{inner}", seed.word())
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

/// A log whose lines are mostly alike.
fn log(seed: &mut Seed, needles: &Needles) -> String {
    let count = 100 + seed.next(300);
    let (error, id, amount) = (seed.next(count), seed.next(count), seed.next(count));
    let mut log = String::new();
    for n in 0..count {
        let stamp = format!("2026-03-01T12:{:02}:{:02}Z", n / 60 % 60, n % 60);
        log.push_str(&format!("{stamp} INFO served {} in {} ms\n", seed.word(), seed.next(900)));
        if n == error {
            log.push_str(&format!(
                "{stamp} ERROR worker: {}\n    at f (a.js:{n}:2)\n",
                needles.error
            ));
        }
        if n == id {
            log.push_str(&format!("{stamp} INFO order {} placed\n", needles.id));
        }
        if n == amount {
            log.push_str(&format!("{stamp} INFO charged {} to {}\n", needles.amount, seed.word()));
        }
    }
    log
}

/// A stack trace of hundreds of frames, with the error at its end and the rest in frames.
fn trace(seed: &mut Seed, needles: &Needles) -> String {
    let count = 120 + seed.next(300);
    let id = seed.next(count);
    let amount = (id + 1 + seed.next(count - 1)) % count;
    let is_python = seed.next(2) == 0;
    let mut trace: String = (0..30 + seed.next(90))
        .map(|n| format!("2026-03-01T12:00:{:02}Z INFO served {}\n", n % 60, seed.word()))
        .collect();
    trace.push_str(if is_python {
        "Traceback (most recent call last):\n"
    } else {
        "java.lang.IllegalStateException: pool exhausted\n"
    });
    for n in 0..count {
        let what = match n {
            n if n == id => needles.id.as_str(),
            n if n == amount => needles.amount.as_str(),
            _ => seed.word(),
        };
        trace.push_str(&if is_python {
            format!("  File \"{}.py\", line {n}, in call\n    call(\"{what}\")\n", seed.word())
        } else {
            format!("\tat org.{}.Frame{n}.call(Frame.java:{n}) [{what}]\n", seed.word())
        });
    }
    let cause = if is_python { "" } else { "Caused by: " };
    trace + &format!("{cause}{}\n", needles.error)
}

fn prose(seed: &mut Seed, needles: &Needles) -> String {
    let count = 60 + seed.next(60);
    let planted = seed.next(count);
    (0..count)
        .map(|n| {
            let end = if n % 7 == 6 { "\n\n" } else { " " };
            if n == planted {
                format!(
                    "Order {} was paid with {} yesterday.\n{}\n",
                    needles.id, needles.amount, needles.error
                )
            } else {
                seed.sentence() + end
            }
        })
        .collect()
}

/// What each of the places gives that a text points to.
fn pointed(text: &str, content: &str) -> Vec<String> {
    let mut given = Vec::new();
    for (at, _) in text.match_indices("[…") {
        let words: Vec<&str> = text[at..].split(|c: char| c.is_whitespace()).take(8).collect();
        let number =
            |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().ok();
        let request = match words.as_slice() {
            ["[…", count, noun, "at", "offset", offset, ..] if noun.starts_with("line") => {
                let slice = number(offset).map(|offset| Slice { offset, limit: number(count) });
                Request { fields: Vec::new(), slice }
            }
            ["[…", _, "more:", path, ..] => {
                let path = path.strip_suffix(']').unwrap_or(path);
                Request { fields: Path::parse(path).into_iter().collect(), slice: None }
            }
            _ => Request::default(),
        };
        given.push(expand(content, &request).text);
    }
    given
}

#[test]
fn a_thousand_needles_of_each_kind_are_found() {
    let mut seed = Seed(7);
    let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
    for round in 0..1_000 {
        let needles = Needles::new(&mut seed);
        let text = match round % 6 {
            0 | 1 => list(&mut seed, &needles),
            2 => nested(&mut seed, &needles),
            3 => log(&mut seed, &needles),
            4 => trace(&mut seed, &needles),
            _ => prose(&mut seed, &needles),
        };
        let case = case(&text);
        let is_whole = case.text == case.content.text();
        *outcomes.entry(case.outcome).or_default() += 1;
        assert!(is_whole || names(&case.text).iter().any(|name| name.to_string() == case.name));
        assert!(case.text.contains(&needles.error), "{}\n{}", needles.error, case.text);
        let given = pointed(&case.text, case.content.text());
        for needle in [&needles.error, &needles.id, &needles.amount] {
            let found = case.text.contains(needle)
                || given.iter().any(|text| text.contains(needle.as_str()));
            assert!(found, "{needle} is lost in\n{}", case.text);
        }
    }
    assert_eq!(outcomes, BTreeMap::from([(Outcome::Compressed, 1_000)]));
}
