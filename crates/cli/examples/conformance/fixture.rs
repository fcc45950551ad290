//! The door with the suite's fixtures: it answers what belongs to the suite, lists both, and leaves
//! everything else to the real one.
#![expect(deprecated, reason = "clients of 2025-11-25 still set levels and subscribe")]

use crate::asking::{Context, result, typed};
use crate::rounds::{self, Next, Rounds, Said};
use crate::{prompts, resources, tools};
use dossier_mcp::Mcp;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ContentBlock, DiscoverResult, GetPromptRequestParams, GetPromptResponse,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, Reference, ServerCapabilities, ServerConfig,
    SetLevelRequestMethod, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, SubscriptionContext, SubscriptionSink};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;
use tokio::sync::broadcast::{self, Receiver, Sender};

#[derive(Debug, Clone, Copy)]
enum List {
    Tools,
    Prompts,
}

#[derive(Debug, Clone)]
pub struct Fixture {
    door: Mcp,
    rounds: Rounds,
    changes: Sender<List>,
}

impl Fixture {
    pub fn new(door: Mcp) -> Self {
        Self { door, rounds: Rounds::default(), changes: broadcast::channel(16).0 }
    }

    /// What the real door can do, and what the suite asks for besides.
    fn capabilities(&self) -> ServerCapabilities {
        let real = self.door.get_info().capabilities;
        let mut all = json!(real);
        for (capability, options) in [
            ("completions", vec![]),
            ("logging", vec![]),
            ("prompts", vec!["listChanged"]),
            ("resources", vec!["listChanged", "subscribe"]),
            ("tools", vec!["listChanged"]),
        ] {
            for option in options {
                all[capability][option] = json!(true);
            }
            if all[capability].is_null() {
                all[capability] = json!({});
            }
        }
        typed(all).unwrap_or(real)
    }

    /// Tells whoever listens.
    fn change(&self, list: List) -> CallToolResult {
        // Nobody may be listening.
        let _ = self.changes.send(list);
        CallToolResult::success(vec![ContentBlock::text("changed")])
    }
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.door.get_info();
        info.capabilities = self.capabilities();
        info
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.door.initialize(request, context).await?;
        result.capabilities = self.capabilities();
        Ok(result)
    }

    async fn discover(&self, context: Context) -> Result<DiscoverResult, ErrorData> {
        let mut result = self.door.discover(context).await?;
        result.capabilities = self.capabilities();
        Ok(result)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.door.on_initialized(context).await;
    }

    // Each list is the real one with the suite's items at its end.

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut result = self.door.list_tools(request, context).await?;
        if result.next_cursor.is_none() {
            result.tools.extend(tools::list(&rounds::TOOLS)?);
        }
        Ok(result)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut result = self.door.list_resources(request, context).await?;
        if result.next_cursor.is_none() {
            result.resources.extend(resources::list()?);
        }
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut result = self.door.list_resource_templates(request, context).await?;
        if result.next_cursor.is_none() {
            result.resource_templates.extend(resources::templates()?);
        }
        Ok(result)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut result = self.door.list_prompts(request, context).await?;
        if result.next_cursor.is_none() {
            result.prompts.extend(prompts::list()?);
        }
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).or_else(|| self.door.get_tool(name))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = &*request.name;
        if let Some(next) = self.rounds.next(name, &Said::in_call(&request), &context) {
            return Ok(match next? {
                Next::Ask(question) => question.into(),
                Next::Answered(answers) => {
                    CallToolResult::success(vec![ContentBlock::text(answers)]).into()
                }
            });
        }
        match name {
            tools::BREAKS => broken(),
            tools::TOOL_CHANGE => Ok(self.change(List::Tools).into()),
            tools::PROMPT_CHANGE => Ok(self.change(List::Prompts).into()),
            _ if tools::find(name).is_some() => Ok(tools::call(&request, &context).await?.into()),
            _ => self.door.call_tool(request, context).await,
        }
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match resources::read(&request.uri) {
            Some(result) => Ok(result?.into()),
            None => self.door.read_resource(request, context).await,
        }
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        match prompts::get(&request, &self.rounds, &context) {
            Some(result) => result,
            None => self.door.get_prompt(request, context).await,
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        match &request.r#ref {
            Reference::Prompt(prompt) if prompt.name == prompts::WITH_ARGUMENTS => {
                let value = format!("{}-completed", request.argument.value);
                result(json!({"completion": {"values": [value], "total": 1, "hasMore": false}}))
            }
            _ => self.door.complete(request, context).await,
        }
    }

    async fn set_level(&self, _: SetLevelRequestParams, context: Context) -> Result<(), ErrorData> {
        match context.protocol_version() {
            Some(version) if version >= ProtocolVersion::V_2026_07_28 => {
                Err(ErrorData::method_not_found::<SetLevelRequestMethod>())
            }
            _ => Ok(()),
        }
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: Context,
    ) -> Result<(), ErrorData> {
        match resources::is_watchable(&request.uri) {
            true => Ok(()),
            false => self.door.subscribe(request, context).await,
        }
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: Context,
    ) -> Result<(), ErrorData> {
        match resources::is_watchable(&request.uri) {
            true => Ok(()),
            false => self.door.unsubscribe(request, context).await,
        }
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let telling = tell_changes(self.changes.subscribe(), context.sink().clone());
        tokio::select! {
            ended = self.door.listen(context) => ended,
            () = telling => Ok(()),
        }
    }
}

#[expect(clippy::panic, reason = "that is what it is for")]
fn broken() -> ! {
    panic!("a tool has broken at postgres://ana:s3cret@db/x")
}

/// Tells a client of changes, as far as it wants to hear of them.
async fn tell_changes(mut changes: Receiver<List>, sink: SubscriptionSink) {
    while let Ok(list) = changes.recv().await {
        // What the client did not ask to hear is refused here.
        let _ = match list {
            List::Tools => sink.notify_tool_list_changed().await,
            List::Prompts => sink.notify_prompt_list_changed().await,
        };
    }
}
