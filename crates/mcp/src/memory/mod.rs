//! The tools of the set `memory`: what is remembered, and what was kept, given back.

mod facts;
mod refs;

use crate::tool::Tool;

pub fn tools() -> Vec<Tool> {
    let mut tools = facts::tools();
    tools.push(refs::tool());
    tools
}
