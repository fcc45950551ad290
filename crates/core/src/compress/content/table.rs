//! Lists of objects as tables: names once, then a row for each. What is the same in all rows
//! stands once above them.

use super::sheet::Sheet;
use super::texts;
use super::view::{Place, Shown, View, put_together};
use crate::compress::is_untouchable;
use crate::json::Json;
use std::collections::HashMap;

/// Objects within a row are spread over its columns so far.
const DEEPEST: usize = 4;
/// Values of a list within a cell.
const LISTED: usize = 8;

/// The cells of an object by the names of their columns.
type Row = Vec<(String, Sheet)>;

impl<'a> View<'a> {
    /// Writes rows as a table, unless one of them holds an error of several lines, which must not
    /// be folded.
    pub(super) fn table(
        &mut self,
        name: &str,
        path: &str,
        rows: &[&'a Json],
        total: usize,
        indent: usize,
    ) -> bool {
        let folds_an_error = rows.iter().any(|row| {
            let mut found = false;
            row.scalars(&mut |_, value| {
                let text = value.scalar().unwrap_or_default();
                found |= text.trim().contains('\n') && is_untouchable(text);
            });
            found
        });
        if folds_an_error {
            return false;
        }
        let rows: Vec<Row> = rows
            .iter()
            .map(|row| {
                let mut cells = Row::new();
                self.spread(row, ("", path), 0, &mut cells);
                cells
            })
            .collect();
        let columns = Columns::of(&rows);
        self.line(indent);
        self.sheet.frame(format_args!("{name}[{total}] {}", columns.names.join("|")));
        self.shared(&columns, &rows, indent);
        for row in rows {
            self.line(indent);
            self.row(row, &columns);
        }
        true
    }

    fn spread(
        &self,
        object: &'a Json,
        (prefix, path): (&str, &str),
        depth: usize,
        cells: &mut Row,
    ) {
        for entry in self.members(object, path, Place::Listed) {
            if cells.len() >= self.limits.members {
                cells.push(("…".to_owned(), said("[…]")));
                return;
            }
            let column =
                if prefix.is_empty() { entry.name } else { format!("{prefix}.{}", entry.name) };
            let cell = match entry.shown {
                Shown::One(json) => match self.reduced(json) {
                    object @ Json::Object(_) if depth < DEEPEST => {
                        self.spread(object, (&column, &entry.path), depth + 1, cells);
                        continue;
                    }
                    Json::Object(_) => said("[…]"),
                    Json::List(items) => self.listed(items.iter(), items.len()),
                    value => self.cell(value.scalar().unwrap_or_default()),
                },
                Shown::Several(values) => self.listed(values.iter().copied(), values.len()),
                Shown::Pieces(pieces) => self.cell(&put_together(&pieces)),
                Shown::Words(words) => said(words),
            };
            if !cell.text.is_empty() {
                cells.push((column, cell));
            }
        }
    }

    /// A list within a row: its values, or how many objects it has.
    fn listed(&self, values: impl Iterator<Item = &'a Json>, total: usize) -> Sheet {
        let mut sheet = Sheet::default();
        let values: Vec<&Json> = values.take(LISTED).map(|value| self.reduced(value)).collect();
        if values.iter().any(|value| value.scalar().is_none()) {
            return said(format_args!("[…{total}]"));
        }
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                sheet.quote(", ");
            }
            sheet.append(self.cell(value.scalar().unwrap_or_default()));
        }
        if total > values.len() {
            sheet.frame(format_args!(" [… {} more]", total - values.len()));
        }
        sheet
    }

    fn cell(&self, text: &str) -> Sheet {
        texts::cell(text, self.limits.cell)
    }

    /// The line of what all rows have in common.
    fn shared(&mut self, columns: &Columns, rows: &[Row], indent: usize) {
        if columns.shared.is_empty() {
            return;
        }
        self.line(indent);
        self.sheet.frame("all: ");
        for (index, name) in columns.shared.iter().enumerate() {
            if index > 0 {
                self.sheet.quote("; ");
            }
            self.sheet.frame(format_args!("{name}="));
            let first = rows.first().and_then(|row| row.iter().find(|(own, _)| own == name));
            if let Some((_, cell)) = first {
                self.sheet.append(cell.copy());
            }
        }
    }

    fn row(&mut self, row: Row, columns: &Columns) {
        let mut cells: HashMap<String, Sheet> = HashMap::new();
        let mut rare = Vec::new();
        for (name, cell) in row {
            if columns.names.contains(&name) {
                cells.entry(name).or_insert(cell);
            } else if !columns.shared.contains(&name) {
                rare.push((name, cell));
            }
        }
        for (index, name) in columns.names.iter().enumerate() {
            if index > 0 {
                self.sheet.quote("|");
            }
            if let Some(cell) = cells.remove(name) {
                self.sheet.append(cell);
            }
        }
        for (name, cell) in rare {
            self.sheet.quote("|");
            self.sheet.frame(format_args!("{name}="));
            self.sheet.append(cell);
        }
    }
}

fn said(words: impl std::fmt::Display) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.frame(words);
    sheet
}

/// What the rows of a table are written under.
struct Columns {
    names: Vec<String>,
    /// The same in every row.
    shared: Vec<String>,
}

impl Columns {
    /// A column that few rows have is none: its cells carry their names.
    fn of(rows: &[Row]) -> Self {
        let mut order: Vec<&str> = Vec::new();
        let mut seen: HashMap<&str, (usize, &str, bool)> = HashMap::new();
        for (name, cell) in rows.iter().flatten() {
            let entry = seen.entry(name).or_insert_with(|| {
                order.push(name);
                (0, &cell.text, true)
            });
            entry.0 += 1;
            entry.2 &= entry.1 == cell.text;
        }
        let is_shared = |name: &&str| {
            seen.get(name).is_some_and(|(count, _, same)| *same && *count == rows.len())
        };
        let is_common =
            |name: &&str| seen.get(name).is_some_and(|(count, ..)| count * 3 > rows.len());
        let own = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let (shared, others): (Vec<&str>, Vec<&str>) = order.iter().copied().partition(is_shared);
        Self { names: own(others.into_iter().filter(is_common).collect()), shared: own(shared) }
    }
}
