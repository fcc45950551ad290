//! The commands: each turns its flags into requests, and what comes back into print.

mod ask;
mod chat;
mod completions;
mod config;
mod doctor;
mod eval;
mod explain;
mod export;
mod facts;
mod forget;
mod import;
mod index;
mod input;
mod list;
mod maintain;
mod mcp;
mod measures;
mod models;
mod persona;
mod preset;
mod provider;
mod rebuild;
mod refs;
mod search;
mod serve;
mod stats;
mod token;
mod watch;

use crate::flags::{Command, EvalCommand, Flags};
use crate::printer::Printer;
use crate::session::Session;
use std::future::Future;

/// How a command that did not fail came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Done,
    /// The result itself says that something is wrong.
    Unwell,
    /// By Ctrl-C.
    Interrupted,
}

/// Runs the command that was asked for.
pub async fn run(flags: Flags, printer: Printer) -> anyhow::Result<Ended> {
    let Flags { global, command } = flags;
    let global = &global;
    match command {
        Command::Index(flags) => {
            Session::within(global, printer, async |session| index::run(session, &flags).await)
                .await
        }
        Command::Search(flags) => {
            Session::reading(global, printer, async |session| search::run(session, &flags).await)
                .await
        }
        Command::Explain(flags) => {
            Session::reading(global, printer, async |session| explain::run(session, &flags).await)
                .await
        }
        Command::Ask(flags) => {
            Session::asking(global, printer, async |session| ask::run(session, &flags).await).await
        }
        Command::Chat(flags) => {
            Session::asking(global, printer, async |session| chat::run(session, &flags).await).await
        }
        Command::Persona(command) => {
            Session::asking(global, printer, async |session| persona::run(session, &command).await)
                .await
        }
        Command::Facts(command) => {
            Session::asking(global, printer, async |session| facts::run(session, &command).await)
                .await
        }
        Command::Refs(command) => {
            Session::asking(global, printer, async |session| refs::run(session, &command).await)
                .await
        }
        Command::Models(flags) => {
            Session::asking(global, printer, async |session| models::run(session, &flags).await)
                .await
        }
        Command::Provider(command) => {
            Session::asking(global, printer, async |session| provider::run(session, &command).await)
                .await
        }
        Command::Serve(flags) => serve::run(global, &flags, printer).await,
        Command::Mcp(flags) => mcp::run(global, &flags, printer).await,
        Command::Token(command) => token::run(global, &command, printer).await,
        Command::Import(flags) => {
            let incoming = import::read(&flags)?;
            Session::within(global, printer, async |session| {
                import::run(session, &flags, incoming).await
            })
            .await
        }
        Command::Export(flags) => {
            Session::reading(global, printer, async |session| export::run(session, &flags).await)
                .await
        }
        Command::List(flags) => {
            Session::reading(global, printer, async |session| list::run(session, &flags).await)
                .await
        }
        Command::Forget(flags) => {
            Session::changing(global, printer, async |session| forget::run(session, &flags).await)
                .await
        }
        Command::Eval(EvalCommand::Context(flags)) => eval::context(global, &flags, printer).await,
        Command::Eval(EvalCommand::Cache(flags)) => eval::cache(global, &flags, printer).await,
        Command::Eval(EvalCommand::Compress(flags)) => {
            eval::compress(global, &flags, printer).await
        }
        Command::Config(command) => config::run(global, &command, printer).await,
        Command::Stats(flags) => {
            Session::asking(global, printer, async |session| stats::run(session, &flags).await)
                .await
        }
        Command::Maintain(flags) => maintain::run(global, &flags, printer).await,
        Command::Doctor(flags) => doctor::run(global, &flags, printer).await,
        Command::Completions(flags) => completions::run(&flags, printer),
    }
}

/// The result of some work, or nothing when Ctrl-C came first.
pub async fn unless_interrupted<T>(work: impl Future<Output = T>) -> anyhow::Result<Option<T>> {
    tokio::select! {
        result = work => Ok(Some(result)),
        pressed = tokio::signal::ctrl_c() => {
            pressed?;
            Ok(None)
        }
    }
}
