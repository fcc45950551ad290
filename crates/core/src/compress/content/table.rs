//! Lists of objects as tables: names once, then a row for each. What is the same in all items, or
//! in those that are shown, stands once above them and says which of both it is.

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
    /// Writes the first items as a table, unless one of them holds an error of several lines, which
    /// must not be folded.
    pub(super) fn table(
        &mut self,
        name: &str,
        path: &str,
        items: &[&'a Json],
        most: usize,
        indent: usize,
    ) -> bool {
        let (shown, others) = items.split_at(most.min(items.len()));
        let folds_an_error = shown.iter().any(|row| {
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
        let row = |item: &'a Json| {
            let mut cells = Row::new();
            self.spread(item, ("", path), 0, &mut cells);
            cells
        };
        let rows: Vec<Row> = shown.iter().copied().map(row).collect();
        let mut columns = Columns::of(&rows);
        columns.compare(&rows, others.iter().copied().map(row));
        self.line(indent);
        self.sheet.frame(format_args!("{name}[{}] {}", items.len(), columns.names.join("|")));
        let these = format!("these {}", shown.len());
        self.common("all", &columns.in_all, &rows, indent);
        self.common(&these, &columns.in_shown, &rows, indent);
        for row in rows {
            self.line(indent);
            self.row(row, &columns);
        }
        self.left_out_of_rows(shown, path, indent);
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

    /// The line of what rows have in common.
    fn common(&mut self, which: &str, names: &[String], rows: &[Row], indent: usize) {
        if names.is_empty() {
            return;
        }
        self.line(indent);
        self.sheet.frame(format_args!("{which}: "));
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.sheet.quote("; ");
            }
            self.sheet.frame(format_args!("{name}="));
            if let Some(cell) = rows.first().and_then(|row| cell_of(row, name)) {
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
            } else if !columns.in_all.contains(&name) && !columns.in_shown.contains(&name) {
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

fn cell_of<'a>(row: &'a Row, name: &str) -> Option<&'a Sheet> {
    row.iter().find(|(own, _)| own == name).map(|(_, cell)| cell)
}

fn text_of<'a>(row: &'a Row, name: &str) -> Option<&'a str> {
    cell_of(row, name).map(|cell| cell.text.as_str())
}

/// What the rows of a table are written under.
struct Columns {
    names: Vec<String>,
    /// The same in every item, whether it is shown or not.
    in_all: Vec<String>,
    /// The same in every row, but not in every item.
    in_shown: Vec<String>,
}

/// What the rows have in one column.
struct Column<'a> {
    rows: usize,
    last_row: usize,
    first: &'a str,
    is_same: bool,
}

impl Columns {
    /// A column that few rows have is none: its cells carry their names.
    fn of(rows: &[Row]) -> Self {
        let mut order: Vec<&str> = Vec::new();
        let mut seen: HashMap<&str, Column<'_>> = HashMap::new();
        for (number, row) in rows.iter().enumerate() {
            for (name, cell) in row {
                let column = seen.entry(name).or_insert_with(|| {
                    order.push(name);
                    Column { rows: 0, last_row: usize::MAX, first: &cell.text, is_same: true }
                });
                column.rows += usize::from(column.last_row != number);
                column.last_row = number;
                column.is_same &= column.first == cell.text;
            }
        }
        let is_shared = |name: &&str| {
            seen.get(name).is_some_and(|column| column.is_same && column.rows == rows.len())
        };
        let is_common =
            |name: &&str| seen.get(name).is_some_and(|column| column.rows * 3 > rows.len());
        let own = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let (shared, others): (Vec<&str>, Vec<&str>) = order.iter().copied().partition(is_shared);
        Self {
            names: own(others.into_iter().filter(is_common).collect()),
            in_all: own(shared),
            in_shown: Vec::new(),
        }
    }

    /// Looks at the items that are not shown: what differs in one of them is not the same in all.
    fn compare(&mut self, rows: &[Row], others: impl Iterator<Item = Row>) {
        let Some(first) = rows.first() else { return };
        for other in others {
            if self.in_all.is_empty() {
                return;
            }
            let (same, differing) = std::mem::take(&mut self.in_all)
                .into_iter()
                .partition(|name| text_of(first, name) == text_of(&other, name));
            self.in_all = same;
            self.in_shown.extend::<Vec<String>>(differing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::RUNGS;
    use super::super::rules::Extractors;
    use super::super::view::view;
    use crate::json::Json;

    #[test]
    fn what_is_said_of_all_items_holds_for_those_that_are_not_shown() {
        let items = |count: usize| {
            let item = |n: usize| {
                let state = if n < 10 { "open" } else { "closed" };
                format!(r#"{{"id":{n},"status":"{state}","paid":{},"currency":"EUR"}}"#, n != 11)
            };
            format!(r#"{{"items":[{}]}}"#, (0..count).map(item).collect::<Vec<_>>().join(","))
        };
        let head = |count: usize| {
            let json = Json::parse(&items(count)).unwrap();
            let text = view(&json, &Extractors::built_in(), RUNGS[0]).0.text;
            text.lines().take_while(|line| *line != "0").collect::<Vec<_>>().join("\n")
        };
        assert_eq!(head(10), "items[10] id\nall: status=open; paid=true; currency=EUR");
        assert_eq!(head(11), "items[11] id\nall: paid=true; currency=EUR\nthese 10: status=open");
        assert_eq!(head(60), "items[60] id\nall: currency=EUR\nthese 10: status=open; paid=true");
    }
}
