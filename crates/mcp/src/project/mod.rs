//! The tools of the set `project`: finding, reading and listing what a project holds, and the
//! dossier that a model would be given.

mod assemble;
mod files;
mod search;

use crate::tool::Tool;

pub fn tools() -> Vec<Tool> {
    vec![assemble::tool(), files::list_tool(), files::read_tool(), search::tool()]
}
