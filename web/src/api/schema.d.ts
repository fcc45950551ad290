// Generated from crates/server/openapi.json by `npm run types`.

export interface paths {
    "/api/consult": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask an assistant about files
         * @description Answers with JSON when the assistant has replied, with a stream as `POST /api/turn` does, or at
         *     once when `start` is true. A session that is busy is waited for.
         */
        post: operations["consult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consult/assistants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The assistants that can be consulted */
        get: operations["assistants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consult/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look after a call */
        get: operations["consult_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consult/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a call up */
        post: operations["cancel_consult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consult/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sessions, the last used first */
        get: operations["consult_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consult/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describe a session */
        get: operations["describe_consult_session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consult/sessions/{id}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget which files a session was given
         * @description The next call splits them anew and sends them; what was said stays.
         */
        post: operations["reset_consult_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/context/assemble": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assemble the dossier for a question
         * @description Calls no model. The receipt is kept.
         */
        post: operations["assemble_context"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a conversation */
        get: operations["get_conversation"];
        put?: never;
        post?: never;
        /** Delete a conversation */
        delete: operations["delete_conversation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/branch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a conversation as another one did, up to a message */
        post: operations["branch_conversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write a conversation out, as it is stored */
        post: operations["export_conversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/title": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Name a conversation */
        put: operations["retitle_conversation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what changes
         * @description Each event `change` names what was written; `gap` says that some were missed, and whoever shows
         *     things should fetch them again.
         */
        get: operations["follow_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what is remembered */
        get: operations["list_facts"];
        put?: never;
        /**
         * Remember something
         * @description What is known already is confirmed, and what it contradicts is closed.
         */
        post: operations["create_fact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/facts/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find the facts that bear on a question */
        post: operations["search_facts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/facts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a fact */
        get: operations["get_fact"];
        put?: never;
        post?: never;
        /** Forget a fact for good, with what receipts quote of it */
        delete: operations["forget_fact"];
        options?: never;
        head?: never;
        /** Change a fact: its text, kind, tags, pin or validity, or accept a doubtful one */
        patch: operations["change_fact"];
        trace?: never;
    };
    "/api/hidden": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was deleted and can be brought back */
        get: operations["list_hidden"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hidden/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring something back that was deleted */
        post: operations["restore_hidden"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a message, to learn where it was said */
        get: operations["get_message"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the writer of a message was given */
        get: operations["get_message_context"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/context/rendered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The exact messages that the writer of a message was given */
        get: operations["get_rendered_message_context"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what is known of models */
        get: operations["list_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/metadata/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the providers for their models */
        post: operations["refresh_models"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the providers for their models, by a shorter name */
        post: operations["refresh_models_alias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the personas */
        get: operations["list_personas"];
        put?: never;
        /** Make a persona */
        post: operations["create_persona"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personas/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a persona */
        get: operations["get_persona"];
        /** Change a persona */
        put: operations["change_persona"];
        post?: never;
        /** Delete a persona with what was said */
        delete: operations["delete_persona"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personas/{id}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Talk with a persona
         * @description Answers with JSON when the reply is whole; with `Accept: text/event-stream` what happens is told
         *     as in `POST /api/turn`, and `GET /api/turn/{id}` takes a stream up again that was cut.
         */
        post: operations["chat_with_persona"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personas/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a persona more time */
        post: operations["extend_persona"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personas/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was said with a persona */
        get: operations["list_persona_messages"];
        put?: never;
        post?: never;
        /** Delete what was said with a persona, some of it or all */
        delete: operations["delete_persona_messages"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the presets */
        get: operations["list_presets"];
        put?: never;
        /** Make a preset */
        post: operations["create_preset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/presets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a preset */
        get: operations["get_preset"];
        /** Change a preset; a built-in one becomes a version of your own */
        put: operations["change_preset"];
        post?: never;
        /**
         * Put a preset away
         * @description It can be made active again. With `now` one of your own is gone for good, and a built-in one is
         *     again as it came.
         */
        delete: operations["delete_preset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/presets/{id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at how a preset is used and judged */
        get: operations["get_preset_figures"];
        put?: never;
        /** Say how well a preset served */
        post: operations["judge_preset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the projects */
        get: operations["list_projects"];
        put?: never;
        /** Make a project */
        post: operations["create_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a project */
        get: operations["get_project"];
        /** Change a project */
        put: operations["change_project"];
        post?: never;
        /** Delete a project with everything in it */
        delete: operations["delete_project"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the conversations of a project */
        get: operations["list_conversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/conversations/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring a conversation in
         * @description What is imported is searchable when the call returns. A conversation that comes again is known
         *     again: what is new is added.
         */
        post: operations["import_conversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files of a project */
        get: operations["list_files"];
        put?: never;
        /** Add one file as JSON, or many as a form */
        post: operations["create_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a file with its text */
        get: operations["get_file"];
        /** Give a file another text */
        put: operations["replace_file"];
        post?: never;
        /** Delete a file */
        delete: operations["delete_file"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/files/{file_id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change how a file takes part in assembling */
        patch: operations["change_file_metadata"];
        trace?: never;
    };
    "/api/projects/{id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find the best passages of a project */
        post: operations["search_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the providers of models */
        get: operations["list_providers"];
        /**
         * Set a provider up, or take it down
         * @description What is not given stays. It holds at once.
         */
        put: operations["change_provider"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/providers/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a provider for its models
         * @description A provider that does not answer is a result, too.
         */
        post: operations["test_provider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a receipt */
        get: operations["get_receipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receipts/{id}/rendered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The exact messages of a receipt */
        get: operations["get_rendered_receipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the refs */
        get: operations["list_refs"];
        put?: never;
        /** Store a content */
        post: operations["create_ref"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refs/sums": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Add up how much refs were shortened */
        get: operations["sum_refs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a ref: its summary and the content in short */
        get: operations["get_ref"];
        put?: never;
        post?: never;
        /** Delete a ref for good, with its content when nothing else holds it */
        delete: operations["forget_ref"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refs/{id}/expand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the content of a ref or of a message: all of it, some fields, or a slice */
        post: operations["expand_ref"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refs/{id}/stale": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say that what a ref was made from has changed */
        post: operations["mark_ref_stale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/global": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find the best passages of all projects */
        post: operations["search_everywhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the settings with their origins */
        get: operations["list_settings"];
        /** Set some settings, or forget them */
        put: operations["change_settings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/turn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask one or several models
         * @description Answers with JSON when every model has replied or failed; with `Accept: text/event-stream` what
         *     happens is told as it happens, in events `dossier`, `delta`, `tool`, `reply`, `error` and `done`.
         *     Its headers `X-Dossier-Thread` and `X-Dossier-Turn` name the conversation and the turn. A stream
         *     that was cut is taken up again with the header `Last-Event-ID`.
         */
        post: operations["turn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/turn/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell what a turn would take
         * @description Calls no model and keeps nothing.
         */
        post: operations["forecast_turn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/turn/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow a turn, or look at what became of it */
        get: operations["follow_turn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/turn/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a turn up, or the reply of one of its models */
        post: operations["cancel_turn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/turn/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the models again that have not replied */
        post: operations["retry_turn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Add up what calls of models took */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/waits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tell how long replies were waited for */
        get: operations["waits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the server runs */
        get: operations["is_alive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counters, as Prometheus reads them */
        get: operations["get_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the server can do its work */
        get: operations["is_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation
         * @description The conversation's thread is the one that `X-Dossier-Thread` names, or else the one that begins
         *     with the same messages. The model is given a dossier of it and of the project's files, with the
         *     client's own instructions and tools. `X-Dossier-Receipt` of the response names the receipt.
         *     Where the project keeps answers, `X-Dossier-Cache` says `hit` when one was given and no model
         *     was asked, `stale` when one stood in for a model that could not be reached though its time was
         *     over, and `miss` otherwise. With `X-Dossier-Profile: off` the request is passed on as it
         *     is, and so is what comes back.
         */
        post: operations["create_chat_completion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Embed texts
         * @description Of a longer text the first tokens are read, as many as fit one vector.
         */
        post: operations["create_embeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models that can be asked */
        get: operations["list_openai_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one of the models */
        get: operations["get_openai_model"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer an input
         * @description The thread is that of `previous_response_id`, or the one that `X-Dossier-Thread` names, or else
         *     the one that begins with the same messages. Otherwise as for chat completions. Dossier keeps
         *     the conversation, also where `store` is false, and never tells the model's provider to. With the
         *     profile `off` it keeps nothing, and passes `store` on where the provider speaks this format.
         */
        post: operations["create_response"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {string} */
        Action: "created" | "changed" | "deleted";
        AllHiddenResponse: {
            /** @description The last deleted first. */
            hidden: components["schemas"]["HiddenResponse"][];
            next_cursor?: string | null;
        };
        AlternativeResponse: {
            /** Format: double */
            cost?: number | null;
            model: string;
            reason: string;
        };
        /** @description What came of looking for kept answers, in projects that keep them. */
        AnswerCacheResponse: {
            /** Format: double */
            hit_rate?: number | null;
            /** @description By how the questions were the same: `exact`, or a `paraphrase`. */
            hits: {
                [key: string]: number;
            };
            /** @description By why a model was asked. */
            refused: {
                [key: string]: number;
            };
        };
        /**
         * @description When a new value holds.
         * @enum {string}
         */
        Applies: "now" | "restart";
        /** @description A turn in which a question was asked. */
        AskedResponse: {
            /** @description In the order in which the models were named, without their texts. */
            replies: components["schemas"]["ReplyResponse"][];
            turn_id: string;
        };
        AssembleRequest: {
            /** @description What comes with it, as in `POST /api/turn`. */
            attachments?: components["schemas"]["AttachmentRequest"][];
            conversation_id?: string | null;
            /** @description Every dossier is assembled anew, so this changes nothing. */
            force_refresh?: boolean;
            intent?: components["schemas"]["IntentName"] | null;
            /** @description The model that will read the dossier. */
            model?: string | null;
            /** @description `lean` or `project`; the owner's own when not given. */
            profile?: string | null;
            /** @description That of the conversation, or the project `default`, when not given. */
            project_id?: string | null;
            /**
             * @description A client's session, or a conversation's id. Where project or conversation are not given, they
             *     are those that it worked in last; a session is known from its first use.
             */
            session_id?: string | null;
            /** Format: int32 */
            token_budget?: number | null;
            /** @description What it is about, in other words than the question's: passages about it are looked for, too. */
            topic_tags?: string[];
            /** @description What the user says next. */
            user_turn: string;
        };
        AssembleResponse: {
            budget: components["schemas"]["UsedBudgetResponse"];
            /** @description The same for the same question in the same context. */
            cache_key: string;
            /** @description The stable part, which a vendor's cache can reuse. */
            header: components["schemas"]["SentMessageResponse"][];
            /** @description Tools that the header names and whose schemas come when they are asked for. */
            lazy_tools: string[];
            receipt: components["schemas"]["ReceiptResponse"];
            /** @description History, this turn's items and the question. */
            working_set: components["schemas"]["SentMessageResponse"][];
        };
        AssistantResponse: {
            model: string;
            name: string;
            /**
             * Format: int32
             * @description In tokens.
             */
            window: number;
        };
        AssistantsResponse: {
            assistants: components["schemas"]["AssistantResponse"][];
        };
        /** @description A text, or an image in base64. */
        AttachmentRequest: {
            base64?: string | null;
            content?: string | null;
            /** @description Of an image, such as `image/png`. */
            mime_type?: string | null;
            name: string;
        };
        /** @description What was not even ranked. */
        BeyondResponse: {
            /** Format: int64 */
            chunks: number;
            /** Format: int64 */
            rounds: number;
        };
        /** @description A piece of what was sent, by its hash. */
        BlockResponse: {
            bytes: number;
            hash: string;
            /** @description The item it shows. */
            item?: number | null;
            /** @description Which message it belongs to, from 0. */
            message: number;
            role: string;
        };
        BranchRequest: {
            /**
             * @description Whether the new conversation ends before that message instead, so that it can be said in
             *     other words.
             */
            before?: boolean;
            /** @description The last message of the new conversation. */
            message_id: string;
        };
        /** @description The conversation that a branch departs from. */
        BranchedFromResponse: {
            conversation_id: string;
            /** @description The last message that both have; none where a client has told the conversation anew. */
            message_id?: string | null;
        };
        BudgetResponse: {
            /** @description How tokens were counted. */
            counted_by: string;
            /** Format: int32 */
            limit: number;
            /** @description Tokens of each section. */
            sections: {
                [key: string]: number;
            };
            /** Format: int32 */
            used: number;
            warnings: string[];
        };
        /** @description The kept answer that is given. */
        CachedEvent: {
            /** @description The reply that was kept. */
            from_message: string;
            /** @description `exact` or `paraphrase`, as the questions are the same. */
            how: string;
            /** Format: date-time */
            kept_at: string;
            /**
             * Format: float
             * @description Of the questions; none where they are the same to the letter.
             */
            similarity?: number | null;
            /** @description Set where its time was over: the model could not be reached. */
            stale?: boolean | null;
        };
        /** @description The kept answer that a reply is. */
        CachedResponse: {
            /** @description The reply that was kept. */
            from_message: string;
            /** @description `exact` or `paraphrase`, as the questions are the same. */
            how: string;
            /** Format: date-time */
            kept_at: string;
            /**
             * Format: float
             * @description Of the questions; none where they are the same to the letter.
             */
            similarity?: number | null;
            /** @description Whether its time was over: the model could not be reached. */
            stale: boolean;
        };
        /** @description A call of a tool. */
        CallWire: {
            function: components["schemas"]["CalledWire"];
            id: string;
            type?: string;
        };
        CalledWire: {
            /** @description JSON, as the model wrote it. */
            arguments?: string;
            name: string;
        };
        CancelResponse: {
            /** @description Whether the turn was running here. */
            cancelled: boolean;
        };
        /** @description Something that was written. */
        Change: {
            action: components["schemas"]["Action"];
            /** @description None for the settings. */
            id?: string | null;
            project_id?: string | null;
            subject: components["schemas"]["Subject"];
        };
        /** @description What is not given stays as it is. */
        ChangeProjectRequest: {
            description?: string | null;
            name?: string | null;
            settings?: Record<string, never> | null;
        };
        ChangeProviderRequest: {
            /** @description As in `https://host/v1`; an empty one is forgotten, and its protocol with it. */
            base_url?: string | null;
            /** @description It is sealed and never shown again; an empty one is removed. */
            key?: string | null;
            /** @description One of the known ones, or a new one. */
            name: string;
            protocol?: components["schemas"]["Protocol"] | null;
        };
        ChangeSettingsRequest: {
            /** @description New values by key; null forgets one. All of them are set, or none. */
            values: {
                [key: string]: string | null;
            };
        };
        ChatMetadata: {
            /** Format: date-time */
            expires_at: string;
            /** Format: int32 */
            history_tokens: number;
            history_truncated: boolean;
            is_expired: boolean;
            /** Format: int64 */
            tokens_used: number;
        };
        ChatRequest: {
            /** @description Asking again by the same name gives the first result. */
            client_message_id?: string | null;
            /**
             * @description Whether the model is reminded to keep the persona whatever is said; true when not given. The
             *     persona's prompt is sent either way.
             */
            maintain_personality?: boolean | null;
            message: string;
            /** @description Another model than the persona's own or the usual one. */
            model?: string | null;
        };
        ChatResponse: {
            assistant_response: components["schemas"]["PersonaMessage"];
            /** @description Why the reply ended: `stop`, `length`, `refused`, … */
            finish: string;
            metadata: components["schemas"]["ChatMetadata"];
            model: string;
            name: string;
            persona_id: string;
            personality: string;
            receipt_id?: string | null;
            response: string;
            user_message: components["schemas"]["PersonaMessage"];
            /** @description That the history fills up or was cut, or that the persona expires. */
            warnings: string[];
        };
        ChoiceResponse: {
            finish_reason: string;
            /** Format: int32 */
            index: number;
            logprobs?: Record<string, never> | null;
            message: components["schemas"]["SaidResponse"];
        };
        /**
         * @description What kind of problem it is. Codes are never changed.
         * @enum {string}
         */
        Code: "malformed_request" | "malformed_json" | "invalid_query" | "invalid_path" | "token_required" | "token_refused" | "host_refused" | "origin_refused" | "owner_refused" | "path_refused" | "not_found" | "method_not_allowed" | "conflict" | "request_under_way" | "reply_forgotten" | "key_reused" | "body_too_large" | "unsupported_media_type" | "invalid" | "budget_too_small" | "window_full" | "over_budget" | "limit_reached" | "expired" | "internal" | "busy" | "timed_out" | "store_unavailable" | "key_missing" | "key_refused" | "unpaid" | "unknown_model" | "rate_limited" | "too_long" | "refused" | "model_unavailable" | "model_timed_out" | "broken" | "not_taken";
        CompletionRequest: {
            /** Format: int32 */
            max_completion_tokens?: number | null;
            /**
             * Format: int32
             * @description The older name of `max_completion_tokens`.
             */
            max_tokens?: number | null;
            messages: components["schemas"]["MessageRequest"][];
            /**
             * @description `dossier_thread` names the thread, as the header X-Dossier-Thread does;
             *     `dossier_force_refresh` does what X-Dossier-Cache: refresh does.
             */
            metadata?: Record<string, never> | null;
            /** @description As in `openai/gpt-4o`, or a bare id where only one provider has it. */
            model: string;
            /**
             * Format: int32
             * @description One answer is given.
             */
            n?: number | null;
            prompt_cache_key?: string | null;
            reasoning_effort?: string | null;
            response_format?: Record<string, never> | null;
            /** Format: int64 */
            seed?: number | null;
            stop?: components["schemas"]["Texts"] | null;
            stream?: boolean | null;
            stream_options?: components["schemas"]["StreamOptions"] | null;
            /** Format: double */
            temperature?: number | null;
            /** @description `auto`, `none`, `required`, or one function. */
            tool_choice?: Record<string, never> | null;
            tools?: components["schemas"]["ToolRequest"][] | null;
            /** Format: double */
            top_p?: number | null;
        };
        CompletionResponse: {
            choices: components["schemas"]["ChoiceResponse"][];
            /** Format: int64 */
            created: number;
            id: string;
            model: string;
            object: string;
            usage?: components["schemas"]["TokensResponse"] | null;
        };
        CompletionTokens: {
            /** Format: int32 */
            reasoning_tokens: number;
        };
        CompressionResponse: {
            /** Format: int64 */
            count: number;
            /** @description What the content is, such as `json` or `log`. */
            kind: string;
            /** @description `compressed`, `not_worth_it`, or `check_failed`: then the original is shown. */
            outcome: string;
            /** Format: int64 */
            tokens_after: number;
            /** Format: int64 */
            tokens_before: number;
        };
        ConsultDescriptionResponse: components["schemas"]["ConsultSessionResponse"] & {
            context: string[];
            files?: components["schemas"]["ConsultFiles"] | null;
            /** @description What was asked first and last. */
            first?: string | null;
            frozen: boolean;
            /** @description Files that stand inline, and whether the list is closed. */
            inline: number;
            /** @description The first thousand of them by path. */
            inline_files: components["schemas"]["ConsultInlineFile"][];
            last?: string | null;
            /** Format: int32 */
            tokens_limit: number;
            /** Format: int64 */
            tokens_saved: number;
            /** Format: int32 */
            tokens_used: number;
        };
        /** @description What became of the files of a call. */
        ConsultFiles: {
            /** @description Whether new files are searched from now on. */
            frozen: boolean;
            searchable: number;
            sent: number;
            skipped: components["schemas"]["ConsultSkipped"][];
            /** @description How many more were left out. */
            skipped_beyond: number;
            /** Format: int32 */
            tokens_limit: number;
            /**
             * Format: int32
             * @description What sending every inline file again would have added.
             */
            tokens_saved: number;
            /** Format: int32 */
            tokens_sent: number;
            /**
             * Format: int32
             * @description What the whole request took, and the most it may take.
             */
            tokens_used: number;
            /** @description Before the assistant since an earlier call. */
            unchanged: number;
        };
        /** @description A file that stands inline, as it was when it was last sent. */
        ConsultInlineFile: {
            path: string;
            /**
             * Format: int64
             * @description The round whose question it stands in.
             */
            round?: number | null;
            /**
             * Format: int32
             * @description None of a file whose sending is forgotten.
             */
            tokens?: number | null;
        };
        ConsultRequest: {
            /** @description As `GET /api/consult/assistants` names it, such as `o3`. */
            assistant: string;
            /** @description Files and folders of this call alone; they are searched, not shown. */
            attachments?: string[];
            /** @description Asking again by the same name gives the first result. */
            client_message_id?: string | null;
            /** @description Files and folders that hold for the whole session. */
            context?: string[];
            /** @description What the assistant is to do. */
            instructions: string;
            /** @description Files that are shown even beyond the budget. */
            priority_context?: string[];
            /** @description The project called `default` when not given. */
            project_id?: string | null;
            /** @description Your name for the conversation: the same name goes on with it. */
            session_id: string;
            /** @description Answers at once with the id of a job instead of waiting for the assistant. */
            start?: boolean;
        };
        ConsultResponse: {
            conversation_id: string;
            files: components["schemas"]["ConsultFiles"];
            reply?: components["schemas"]["ReplyResponse"] | null;
            /** @description `working`, `replied`, `failed`, `cancelled` or `interrupted`. */
            state: string;
            /** @description By which the call is looked after and given up. */
            turn_id: string;
        };
        ConsultSessionResponse: {
            assistant: string;
            created_at: string;
            /** @description The conversation's id. */
            id: string;
            project_id: string;
            /** Format: int64 */
            rounds: number;
            session_id: string;
            title?: string | null;
            used_at: string;
        };
        ConsultSessionsResponse: {
            next_cursor?: string | null;
            sessions: components["schemas"]["ConsultSessionResponse"][];
        };
        ConsultSkipped: {
            path: string;
            reason: string;
        };
        /** @description A text, or its parts. */
        ContentRequest: string | components["schemas"]["PartRequest"][];
        /** @description Dossiers that were stored. */
        ContextsResponse: {
            assemble_ms?: components["schemas"]["QuantilesResponse"] | null;
            /** Format: int64 */
            count: number;
            /**
             * @description `whole`; `trimmed`, where last turns or facts found no room; `minimal`, with hardly more than
             *     the question.
             */
            fit: {
                [key: string]: number;
            };
            recall_ms?: components["schemas"]["QuantilesResponse"] | null;
            /** @description By section: `header`, `history`, `facts`, `summaries`, `question`. */
            tokens: {
                [key: string]: number;
            };
        };
        ConversationMessagesResponse: components["schemas"]["ConversationResponse"] & {
            /** @description Whether it is a session of `/api/consult`, which goes on there with its files. */
            is_consultation: boolean;
            /** @description In their order. */
            messages: components["schemas"]["MessageResponse"][];
            next_cursor?: string | null;
            /** @description The persona whose conversation it is; it goes on at `/api/personas/{id}/chat` alone. */
            persona_id?: string | null;
        };
        ConversationResponse: {
            branched_from?: components["schemas"]["BranchedFromResponse"] | null;
            /** Format: date-time */
            created_at: string;
            id: string;
            project_id: string;
            /**
             * Format: int64
             * @description A message of the user and the replies to it are a round.
             */
            rounds: number;
            /** @description What was said lately, in two or three sentences; written every ten rounds. */
            summary?: string | null;
            title?: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationsResponse: {
            /** @description The last used first. */
            conversations: components["schemas"]["ConversationResponse"][];
            next_cursor?: string | null;
        };
        /** @description How much of the project has vectors; the rest is found by words alone. */
        CoverageResponse: {
            /** Format: int64 */
            chunks: number;
            embedder?: string | null;
            /** Format: int64 */
            with_vectors: number;
        };
        CreateFileRequest: {
            /** @description Up to 10 MiB. */
            content: string;
            metadata?: components["schemas"]["MetadataRequest"];
            /** @description Relative to the project: `docs/plan.md`. */
            path: string;
        };
        /** @description One file that came as JSON, or what became of each part of a form. */
        CreateFileResponse: components["schemas"]["FileResponse"] | components["schemas"]["UploadResponse"];
        /** @description A new persona. */
        CreatePersonaRequest: {
            /** Format: int64 */
            expiry_days?: number | null;
            /** Format: int64 */
            max_history_tokens?: number | null;
            /** Format: int64 */
            max_tokens?: number | null;
            model?: string | null;
            name?: string | null;
            personality?: string | null;
            /**
             * @description What it is made from: an id such as `preset-calm-counselor`, or a key such as
             *     `calm_counselor`. The other fields win over the preset's.
             */
            preset_id?: string | null;
            system_prompt?: string | null;
            tags?: string[] | null;
            /** Format: double */
            temperature?: number | null;
        };
        CreateProjectRequest: {
            /** @description What it is about; it stands in every dossier. */
            description?: string;
            /** @description Unique among the owner's projects. */
            name: string;
            /**
             * @description `max_context_tokens` bounds the dossiers of the project, `system_prompt` stands at the end
             *     of the system prompt, `budget_usd_per_month` is what its turns may cost.
             */
            settings?: Record<string, never>;
        };
        DeletedResponse: {
            /** Format: int64 */
            deleted_count: number;
        };
        Embedding: number[] | string;
        EmbeddingInput: string | string[];
        EmbeddingObject: {
            embedding: components["schemas"]["Embedding"];
            index: number;
            object: string;
        };
        EmbeddingTokens: {
            prompt_tokens: number;
            total_tokens: number;
        };
        EmbeddingsRequest: {
            /** @description The length that the vectors have anyway. */
            dimensions?: number | null;
            encoding_format?: components["schemas"]["EncodingFormat"] | null;
            /** @description A text, or up to 2048 of them. */
            input: components["schemas"]["EmbeddingInput"];
            /** @description `minilm-l6-v2`, or the model of the service that is set up. */
            model: string;
        };
        EmbeddingsResponse: {
            data: components["schemas"]["EmbeddingObject"][];
            model: string;
            object: string;
            usage: components["schemas"]["EmbeddingTokens"];
        };
        /** @enum {string} */
        EncodingFormat: "float" | "base64";
        /** @description An error as OpenAI's clients read it. */
        ErrorResponse: {
            code: string;
            message: string;
            param?: string | null;
            type: string;
        };
        /** @description What is wanted of a content; all of it when nothing is said. */
        ExpandBody: {
            /** @description Paths into a JSON document, such as `items[].full_name` or `items[10:20]`. */
            fields?: string[];
            slice?: components["schemas"]["SliceBody"] | null;
        };
        ExpandResponse: {
            /** @description What was asked for; JSON as a text, to the digit. */
            content: string;
            id: string;
            /** @description Items or lines of what was sliced. */
            total?: number | null;
            /** @description Whether it was stale when it was asked for: old, or its source has changed. */
            was_stale: boolean;
        };
        /** @enum {string} */
        ExportFormat: "markdown" | "json";
        ExportRequest: {
            format: components["schemas"]["ExportFormat"];
        };
        ExtendRequest: {
            /**
             * Format: int64
             * @description Beyond its end, or from now on when that is past; its own number of days from now on when
             *     not given.
             */
            days?: number | null;
        };
        /** @description What is to be different about a fact. */
        FactChangeRequest: {
            /** @description Whether a doubtful fact was found to be right. */
            accepted?: boolean;
            kind?: components["schemas"]["FactKind"] | null;
            pinned?: boolean | null;
            tags?: string[] | null;
            text?: string | null;
            /**
             * Format: date-time
             * @description From when on it does not hold; `null` lets it hold without end.
             */
            valid_until?: string | null;
        };
        FactCountsResponse: {
            closed: number;
            doubtful: number;
            holds: number;
        };
        /**
         * @description Why a fact waits for a person.
         * @enum {string}
         */
        FactDoubt: "hedged" | "hearsay" | "contradiction";
        /**
         * @description What a fact is about.
         * @enum {string}
         */
        FactKind: "decision" | "entity" | "task" | "metric" | "link" | "fact";
        /** @description Something to remember. */
        FactRequest: {
            kind?: components["schemas"]["FactKind"] | null;
            /** @description Whether it never fades, and nothing closes it by itself. */
            pinned?: boolean;
            /** @description The default project when it is missing. */
            project_id?: string | null;
            tags?: string[];
            /** @description One to three lines, at most 500 characters. Secrets are masked. */
            text: string;
        };
        FactResponse: {
            /**
             * Format: date-time
             * @description When it was last said again.
             */
            confirmed_at: string;
            /** @description Where they were said; missing where a person wrote the fact down. */
            conversation_id?: string | null;
            /** Format: date-time */
            created_at: string;
            doubt?: components["schemas"]["FactDoubt"] | null;
            id: string;
            kind: components["schemas"]["FactKind"];
            message_id?: string | null;
            pinned: boolean;
            project_id: string;
            /** @description The words that it rests on. */
            quote: string;
            state: components["schemas"]["FactState"];
            /** @description The fact that took its place. */
            superseded_by?: string | null;
            tags: string[];
            text: string;
            topic?: components["schemas"]["FactTopic"] | null;
            /** Format: date-time */
            valid_from: string;
            /** Format: date-time */
            valid_until?: string | null;
        };
        FactSearchRequest: {
            /** @description Whether all projects are searched; none is named then. */
            all_projects?: boolean;
            /** @description 12 when not given; 8 to 20. */
            limit?: number | null;
            /** @description The default project when it is missing. */
            project_id?: string | null;
            query: string;
            /** @description A client's session, or a conversation: only what was said in it. */
            session_id?: string | null;
            /** @description Of two facts that are equally like the query, the one with more of these comes first. */
            tags?: string[];
        };
        FactSearchResponse: {
            /** @description The best first. */
            facts: components["schemas"]["RecalledResponse"][];
        };
        /**
         * @description Whether models are shown it: it holds, something newer has closed it, or a person is to look at
         *     it first.
         * @enum {string}
         */
        FactState: "holds" | "closed" | "doubtful";
        /** @description What a fact is said of: a newer one about the same takes its place. */
        FactTopic: {
            attribute: string;
            subject: string;
        };
        FactsResponse: {
            /** @description How many there are in each state, whichever is asked for. */
            counts: components["schemas"]["FactCountsResponse"];
            /** @description The last confirmed first. */
            facts: components["schemas"]["FactResponse"][];
            next_cursor?: string | null;
            /** @description How many there are on all pages. */
            total: number;
        };
        FeedbackRequest: {
            comment?: string | null;
            /**
             * Format: int64
             * @description How well it served, from 1 to 5.
             */
            rating?: number | null;
        };
        FeedbackResponse: {
            comment?: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: int64 */
            rating: number;
        };
        /** @description A field of the request, and how to mend it. */
        FieldProblem: {
            field: string;
            message: string;
        };
        /**
         * @description What usage does not say: of the same time, project and conversation where a dossier belongs to
         *     one, and otherwise of everything there is now.
         */
        FiguresResponse: {
            answer_cache: components["schemas"]["AnswerCacheResponse"];
            /** @description Contents that are refs. */
            compression: components["schemas"]["CompressionResponse"][];
            contexts: components["schemas"]["ContextsResponse"];
            /** @description Jobs by what has become of them; the queue is what is `queued`. */
            jobs: {
                [key: string]: number;
            };
            selections: components["schemas"]["SelectionsResponse"];
            summaries: components["schemas"]["SummariesResponse"];
            summaries_today: components["schemas"]["SummariesTodayResponse"];
        };
        FileContentResponse: components["schemas"]["FileResponse"] & {
            /** @description Of a document the text that was taken out; null for what is kept without being text. */
            content?: string | null;
        };
        FileResponse: {
            /** @description SHA-256 of the text. */
            content_hash: string;
            /** Format: date-time */
            created_at: string;
            id: string;
            metadata: components["schemas"]["MetadataResponse"];
            mime_type: string;
            path: string;
            project_id: string;
            /** Format: int64 */
            size_bytes: number;
            /** Format: date-time */
            updated_at: string;
        };
        FilesResponse: {
            /** @description By path. */
            files: components["schemas"]["FileResponse"][];
            next_cursor?: string | null;
        };
        ForecastResponse: {
            models: components["schemas"]["ModelForecastResponse"][];
            /** @description Of budgets that are nearly spent. */
            warnings: string[];
        };
        /** @description A message and where it was said. */
        FoundMessageResponse: components["schemas"]["MessageResponse"] & {
            conversation_id: string;
        };
        FunctionRequest: {
            description?: string | null;
            name: string;
            /** @description JSON Schema of its arguments. */
            parameters?: Record<string, never> | null;
            /** @description Whether calls must keep to the schema. */
            strict?: boolean | null;
        };
        /** @description A function that the model may call and the client runs. */
        FunctionTool: {
            description?: string | null;
            name?: string | null;
            /** @description JSON Schema of its arguments. */
            parameters?: Record<string, never> | null;
            /** @description Whether calls must keep to the schema. */
            strict?: boolean | null;
            /** @description `function`. */
            type: string;
        };
        GlobalHitResponse: components["schemas"]["HitResponse"] & {
            project: string;
            project_id: string;
        };
        GlobalSearchRequest: {
            /** @description The most passages; 10 when not given. */
            limit?: number | null;
            /** @description What stands in double quotes must be there word for word. */
            query: string;
        };
        GlobalSearchResponse: {
            /** @description The best first. */
            hits: components["schemas"]["GlobalHitResponse"][];
            warnings: string[];
        };
        HealthResponse: {
            status: string;
            version: string;
        };
        /** @enum {string} */
        HiddenKind: "project" | "conversation" | "file";
        /** @description What was deleted, and until when it can be brought back. */
        HiddenResponse: {
            /** Format: date-time */
            deleted_at: string;
            id: string;
            kind: components["schemas"]["HiddenKind"];
            /** @description Name, title or path. */
            name: string;
            /** @description The project it is, or is in. */
            project_id: string;
            /**
             * Format: date-time
             * @description Until then `POST /api/hidden/{id}/restore` brings it back.
             */
            restorable_until: string;
        };
        HitResponse: {
            /** @description The words that were found. */
            matched: string[];
            /** @description What the conversation is about that a message was said in, where it has a summary. */
            preview?: string | null;
            /** Format: float */
            score: number;
            /** @description The score of each signal. */
            scores: {
                [key: string]: number;
            };
            source: components["schemas"]["SourceResponse"];
            /** @description Messages in full, the beginning of file excerpts. */
            text: string;
            /** Format: int32 */
            tokens: number;
        };
        ImageRequest: {
            /** @description A `data:` URL with the image in base64. */
            url: string;
        };
        ImportMessage: {
            content: string;
            /** Format: date-time */
            created_at?: string | null;
            id?: string | null;
            /** @description A named part of the conversation, such as a day. */
            section?: string | null;
            /** @description `user`, `assistant`, `agent:<model>`, `tool`, `system`, or the name of a person. */
            speaker: string;
        };
        /**
         * @description What became of the conversation.
         * @enum {string}
         */
        ImportOutcome: "new" | "extended" | "here" | "diverged";
        ImportRequest: {
            /** Format: date-time */
            created_at?: string | null;
            /** @description By which the conversation is known when it comes again; without it only an equal one is. */
            id?: string | null;
            messages: components["schemas"]["ImportMessage"][];
            title?: string | null;
        };
        ImportResponse: {
            /** @description How many of them are new. */
            added: number;
            conversation_id: string;
            /** @description The ids of the messages, in their order. */
            message_ids: string[];
            outcome: components["schemas"]["ImportOutcome"];
        };
        /** @description What the user says, or items. */
        InputRequest: string | components["schemas"]["ItemRequest"][];
        /** @enum {string} */
        IntentName: "quick_capture" | "context_lookup" | "deep_analysis" | "planning";
        /** @description A text, or its parts. */
        ItemContent: string | components["schemas"]["ItemPart"][];
        ItemPart: {
            /** @description A `data:` URL with the image in base64. */
            image_url?: string | null;
            refusal?: string | null;
            text?: string | null;
            /** @description `input_text`, `output_text`, `refusal` or `input_image`. */
            type: string;
        };
        /**
         * @description A message, a `function_call` or a `function_call_output`. Which of the fields are wanted depends
         *     on the type.
         */
        ItemRequest: {
            arguments?: string | null;
            call_id?: string | null;
            content?: components["schemas"]["ItemContent"] | null;
            name?: string | null;
            output?: components["schemas"]["ItemContent"] | null;
            role?: string | null;
            /** @description `message` when not given. */
            type?: string | null;
        };
        /** @description One candidate and its fate. */
        ItemResponse: {
            /** @description `full`, `trimmed`, `line`, `pointer` or `dropped`. */
            form: string;
            /** @description `always`, `recent` or `retrieved`. */
            include_mode: string;
            /** @description Such as `rules`, `file` or `message`. */
            kind: string;
            reason: string;
            /** Format: float */
            score?: number | null;
            /** @description The score of each signal. */
            scores: {
                [key: string]: number;
            };
            source: components["schemas"]["SourceResponse"];
            /** Format: int32 */
            tokens: number;
        };
        LeftOutResponse: {
            reason: string;
            source: string;
            /** Format: int32 */
            tokens: number;
        };
        /** @description What somebody said. Which of the fields are wanted depends on the role. */
        MessageRequest: {
            content?: components["schemas"]["ContentRequest"] | null;
            /** @description With which the assistant declined. */
            refusal?: string | null;
            /** @description `system`, `developer`, `user`, `assistant` or `tool`. */
            role: string;
            /** @description The call that a tool gives the result of. */
            tool_call_id?: string | null;
            /** @description The tools that the assistant called. */
            tool_calls?: components["schemas"]["CallWire"][] | null;
        };
        MessageResponse: {
            /** @description Secrets are masked. */
            content: string;
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @description Of a reply: the receipt of what its model was given. */
            receipt_id?: string | null;
            /** @description `user`, `agent`, `tool` or `system`. */
            role: string;
            /** Format: int64 */
            round: number;
            section?: string | null;
            /** @description Such as `user`, `agent:<model>`, or the name of a person. */
            speaker: string;
            /** @description Of a reply: what the model thought, as far as it showed it. */
            thoughts?: string | null;
            /** @description Of a reply: the tools that were run for it. */
            tools?: components["schemas"]["ToolRunResponse"][];
            /** @description Of a question: what became of it. */
            turns?: components["schemas"]["AskedResponse"][];
        };
        /** @description What is not given stays as it is. */
        MetadataRequest: {
            /** @description Whether every dossier of the project holds the whole file. */
            always_in_context?: boolean | null;
            /** @description Whether search finds it. */
            retrieval_eligible?: boolean | null;
            /** @description Null takes it away. */
            summary?: string | null;
            tags?: string[] | null;
            /** @description Whether models may read it by tools. */
            tool_accessible?: boolean | null;
        };
        /** @description How a file takes part in assembling. */
        MetadataResponse: {
            always_in_context: boolean;
            retrieval_eligible: boolean;
            summary?: string | null;
            tags: string[];
            tool_accessible: boolean;
        };
        ModelForecastResponse: {
            alternatives: components["schemas"]["AlternativeResponse"][];
            /**
             * Format: double
             * @description In dollars, if the price is known, with an answer of ordinary length.
             */
            cost?: number | null;
            /**
             * Format: double
             * @description The share of the window that the dossier and an answer fill.
             */
            filled: number;
            /** @description What finds no room, the best first. */
            left_out: components["schemas"]["LeftOutResponse"][];
            /** Format: int32 */
            left_out_tokens: number;
            /** Format: int32 */
            limit: number;
            model: string;
            /** @description Why this model cannot be asked so. */
            problem?: string | null;
            /**
             * Format: int32
             * @description Tokens of the dossier, and how many it may have.
             */
            tokens: number;
            /** Format: int32 */
            window: number;
        };
        ModelListResponse: {
            data: components["schemas"]["ModelObject"][];
            object: string;
        };
        ModelObject: {
            /**
             * Format: int64
             * @description Nobody knows; always 0.
             */
            created: number;
            id: string;
            object: string;
            /** @description The provider. */
            owned_by: string;
        };
        ModelResponse: {
            /** Format: int32 */
            context_window: number;
            display_name: string;
            /** @description The name that means this model and no other. */
            id: string;
            /**
             * Format: double
             * @description Dollars per million tokens, if known.
             */
            input_cost?: number | null;
            /**
             * Format: int64
             * @description How many reports of providers that factor was learned from.
             */
            learned_from: number;
            /** Format: int32 */
            max_output: number;
            model: string;
            /** Format: double */
            output_cost?: number | null;
            provider: string;
            /** @description Whether its provider is set up. */
            ready: boolean;
            streaming: boolean;
            thinking: boolean;
            /** @description `smart`, `balanced`, `fast` or `cheap`. */
            tier: string;
            /**
             * @description How its tokens are counted, as in `o200k` or `estimate:claude@127`: that many for 100 of
             *     `o200k`.
             */
            tokenizer: string;
            tools: boolean;
            vision: boolean;
        };
        ModelsResponse: {
            models: components["schemas"]["ModelResponse"][];
        };
        PartRequest: {
            image_url?: components["schemas"]["ImageRequest"] | null;
            refusal?: string | null;
            text?: string | null;
            /** @description `text`, `image_url` or `refusal`. */
            type: string;
        };
        PersonaMessage: {
            content: string;
            /** @description How the tokens were counted. */
            counted_by: string;
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @description `user`, `assistant` or `system`. */
            role: string;
            /** Format: int32 */
            token_count: number;
        };
        PersonaMessagesResponse: {
            messages: components["schemas"]["PersonaMessage"][];
            next_cursor?: string | null;
            total_count: number;
            /** @description That the persona expires within a day. */
            warnings: string[];
        };
        /** @description What a persona is to be; what is not given takes its default, or stays. */
        PersonaRequest: {
            /**
             * Format: int64
             * @description Days without a conversation after which it expires, usually 7.
             */
            expiry_days?: number | null;
            /**
             * Format: int64
             * @description The most tokens of earlier messages that are sent, usually 15000: the model's window less
             *     1000.
             */
            max_history_tokens?: number | null;
            /**
             * Format: int64
             * @description The most tokens of a reply, usually 1000.
             */
            max_tokens?: number | null;
            /** @description The model that speaks for it; empty for whoever is usually asked. */
            model?: string | null;
            /** @description Required for a new persona without a preset. */
            name?: string | null;
            /** @description How a person would describe it. */
            personality?: string | null;
            /**
             * @description Who it is and how it behaves: pinned before everything else, on every turn. Required for a
             *     new persona without a preset.
             */
            system_prompt?: string | null;
            tags?: string[] | null;
            /**
             * Format: double
             * @description From 0 to 1; zero is a value. Usually 0.7.
             */
            temperature?: number | null;
        };
        PersonaResponse: {
            /** @description Where what is said with it stands. */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Every conversation moves it away.
             */
            expires_at: string;
            /** Format: int32 */
            expiry_days: number;
            id: string;
            /** @description Whether it can be talked with. */
            is_active: boolean;
            /** Format: date-time */
            last_used_at: string;
            /** Format: int32 */
            max_history_tokens: number;
            /** Format: int32 */
            max_tokens: number;
            model?: string | null;
            name: string;
            personality: string;
            preset_id?: string | null;
            system_prompt: string;
            tags: string[];
            /** Format: double */
            temperature: number;
            /** Format: date-time */
            updated_at: string;
            /** @description That it expires within a day, or that its prompt is not filled in. */
            warnings: string[];
        };
        PersonasResponse: {
            next_cursor?: string | null;
            /** @description The last used first. */
            personas: components["schemas"]["PersonaResponse"][];
            total_count: number;
        };
        /** @description How far a dossier begins like the one before it in the conversation. */
        PrefixResponse: {
            bytes: number;
            previous: string;
        };
        /** @description How a preset was used and judged. */
        PresetFiguresResponse: {
            /**
             * Format: int64
             * @description Turns that no model answered.
             */
            failed: number;
            /** @description The last judgements, the newest first. */
            feedback: components["schemas"]["FeedbackResponse"][];
            /** Format: date-time */
            last_used_at?: string | null;
            /** Format: double */
            mean_rating?: number | null;
            /**
             * Format: int64
             * @description Personas that were made from it, those that are gone too.
             */
            personas: number;
            preset_id: string;
            /** Format: int64 */
            ratings: number;
            /** Format: int64 */
            tokens: number;
            /**
             * Format: int64
             * @description Turns of these whose history was cut.
             */
            truncated: number;
            /**
             * Format: int64
             * @description Turns that were answered.
             */
            turns: number;
        };
        /** @description What a preset is to be; what is not given takes its default, or stays. */
        PresetRequest: {
            default_personality?: string | null;
            default_settings?: components["schemas"]["SettingsRequest"];
            description?: string | null;
            /** @description Whether personas can be made from it. */
            is_active?: boolean | null;
            /** @description A JSON object of your own. */
            metadata?: Record<string, never> | null;
            /** @description Required for a new preset; its id is made of it. */
            name?: string | null;
            /** @description Required for a new preset. */
            system_prompt?: string | null;
        };
        PresetResponse: {
            /** Format: date-time */
            created_at: string;
            default_personality: string;
            default_settings: components["schemas"]["PresetSettingsResponse"];
            description: string;
            id: string;
            is_active: boolean;
            /** @description Whether it comes with the program. */
            is_built_in: boolean;
            metadata: Record<string, never>;
            name: string;
            system_prompt: string;
            /** Format: date-time */
            updated_at: string;
        };
        PresetSettingsResponse: {
            /** Format: int32 */
            expiry_days: number;
            /** Format: int32 */
            max_history_tokens: number;
            /** Format: int32 */
            max_tokens: number;
            /** Format: double */
            temperature: number;
        };
        PresetsResponse: {
            next_cursor?: string | null;
            /** @description The built-in ones first. */
            presets: components["schemas"]["PresetResponse"][];
            total_count: number;
        };
        /** @description The document that is sent. */
        Problem: {
            code: components["schemas"]["Code"];
            detail: string;
            error?: components["schemas"]["ErrorResponse"] | null;
            /** @description Every field that is wrong, where fields were checked. */
            errors?: components["schemas"]["FieldProblem"][];
            /** @description By which the log tells more. */
            request_id: string;
            /** Format: int32 */
            status: number;
            title: string;
            /** @description A name of the code, as a URI. */
            type: string;
        };
        ProjectResponse: {
            /** Format: date-time */
            created_at: string;
            description: string;
            id: string;
            name: string;
            settings: Record<string, never>;
            /** Format: date-time */
            updated_at: string;
        };
        ProjectsResponse: {
            next_cursor?: string | null;
            /** @description By name. */
            projects: components["schemas"]["ProjectResponse"][];
        };
        PromptTokens: {
            /** Format: int32 */
            cached_tokens: number;
        };
        /**
         * @description The interface that a provider's models are had by.
         * @enum {string}
         */
        Protocol: "chat" | "responses" | "anthropic" | "gemini";
        ProviderResponse: {
            /**
             * @description Where it is, and who said so, such as `environment OPENAI_BASE_URL`; told to the machine's
             *     own owner alone, as is everything about its key.
             */
            base_url?: string | null;
            /** @description The last characters of its key. */
            key?: string | null;
            /** @description Where its key comes from: a variable, or the stored keys. */
            key_origin?: string | null;
            name: string;
            origin?: string | null;
            /** @description Why it cannot be asked. */
            problem?: string | null;
            protocol: components["schemas"]["Protocol"];
            ready: boolean;
        };
        ProvidersResponse: {
            /** @description By name. */
            providers: components["schemas"]["ProviderResponse"][];
        };
        /** @description Half and nine tenths took no longer. */
        QuantilesResponse: {
            /** Format: double */
            p50: number;
            /** Format: double */
            p90: number;
        };
        ReasoningRequest: {
            effort?: string | null;
            /**
             * @description `auto`, `concise` or `detailed`: what the model thinks is told before its answer, as far as
             *     its provider tells it.
             */
            summary?: string | null;
        };
        RecalledResponse: components["schemas"]["FactResponse"] & {
            /**
             * Format: float
             * @description What age has left of it, from 1 on.
             */
            freshness: number;
            shared_tags: number;
            /** Format: float */
            similarity: number;
        };
        ReceiptResponse: {
            beyond: components["schemas"]["BeyondResponse"];
            blocks: components["schemas"]["BlockResponse"][];
            budget: components["schemas"]["BudgetResponse"];
            cached?: components["schemas"]["CachedResponse"] | null;
            conversation_id?: string | null;
            coverage: components["schemas"]["CoverageResponse"];
            /** Format: date-time */
            created_at: string;
            id: string;
            intent: string;
            /** @description Every candidate that was ranked, shown or not. */
            items: components["schemas"]["ItemResponse"][];
            /** @description Those of them whose schemas come when the model asks for them. */
            lazy_tools: string[];
            model?: string | null;
            prefix?: components["schemas"]["PrefixResponse"] | null;
            profile: string;
            project_id: string;
            question: string;
            selection?: components["schemas"]["SelectionResponse"] | null;
            /** @description SHA-256 of the messages as they are sent. */
            sent: string;
            /** @description What those of Dossier are for, by name. */
            tool_purposes: {
                [key: string]: string;
            };
            /** @description Who runs the tools that were offered: `dossier`, or the `client` that brought them. */
            tool_server?: string | null;
            /** @description Tools that the model was offered, or that the header names. */
            tools: string[];
        };
        /** @description A content to store. */
        RefRequest: {
            /** @description A text, or any JSON. Secrets are masked before it is stored. */
            content: unknown;
            /** @description The path or the name of the file it comes from. */
            file?: string | null;
            /** @description What it is called, such as `github_search`; told from the content when it is missing. */
            kind?: string | null;
            /** @description The project it belongs to, and goes with. */
            project_id?: string | null;
            /** @description Where it comes from: a JSON object of your own. */
            source?: Record<string, never> | null;
            /**
             * Format: int32
             * @description Days that it is kept after it was stored or last expanded; 30 when not given.
             */
            ttl_days?: number | null;
        };
        RefResponse: {
            /** Format: int64 */
            access_count: number;
            /** @description The content in short; not in lists. */
            compressed?: string | null;
            /** Format: int32 */
            compressed_tokens: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /**
             * Format: double
             * @description From 1, just stored or expanded, to 0.
             */
            freshness: number;
            /** @description With the whole hash. */
            full_id: string;
            /** @description As texts show it, with a beginning of the hash. */
            id: string;
            is_stale: boolean;
            kind: string;
            /** Format: date-time */
            last_accessed_at?: string | null;
            project_id?: string | null;
            /** @description Where it comes from, and what was done to shorten it. */
            source: Record<string, never>;
            /** @description Marked when it is stale. */
            summary: string;
            /** @description The model that wrote the summary; `extractive` when it was made without one. */
            summary_by: string;
            /** Format: int32 */
            tokens: number;
        };
        RefSumResponse: {
            /**
             * Format: int64
             * @description Of what is shown of them in short.
             */
            compressed_tokens: number;
            /** @description The kind or the day. */
            key: string;
            /** Format: int64 */
            refs: number;
            /** Format: int64 */
            tokens: number;
        };
        RefSumsResponse: {
            sums: components["schemas"]["RefSumResponse"][];
        };
        RefreshResponse: {
            providers: components["schemas"]["RefreshedProvider"][];
        };
        RefreshedProvider: {
            /** @description How many models it has told of. */
            models?: number | null;
            problem?: string | null;
            provider: string;
        };
        RefsResponse: {
            next_cursor?: string | null;
            /** @description The last stored first. */
            refs: components["schemas"]["RefResponse"][];
        };
        RenderedResponse: {
            messages: components["schemas"]["SentMessageResponse"][];
            receipt_id: string;
        };
        ReplaceFileRequest: {
            content: string;
            /** @description Another path in the project; it stays when not given. */
            path?: string | null;
        };
        ReplyProblem: {
            code: string;
            message: string;
        };
        /** @description What became of one model's reply. */
        ReplyResponse: {
            cached?: components["schemas"]["CachedResponse"] | null;
            /**
             * Format: double
             * @description In dollars, if the price is known.
             */
            cost?: number | null;
            error?: components["schemas"]["ReplyProblem"] | null;
            /** @description Why the reply ended: `stop`, `length`, `refused`, … */
            finish?: string | null;
            message_id?: string | null;
            model: string;
            receipt_id?: string | null;
            /** @description `replied`, `failed`, `cancelled` or `interrupted`; `prepared` or `called` while it is awaited. */
            state: string;
            text?: string | null;
            usage?: components["schemas"]["UsageResponse"] | null;
            /**
             * @description Of budgets that are nearly spent, and of the dossier. Later only those of the dossier are
             *     told, and a conversation's list of what was asked has none.
             */
            warnings: string[];
        };
        ResponseObject: {
            /** Format: int64 */
            created_at: number;
            error?: Record<string, never> | null;
            id: string;
            incomplete_details?: Record<string, never> | null;
            instructions?: string | null;
            /** Format: int32 */
            max_output_tokens?: number | null;
            metadata: Record<string, never>;
            model: string;
            object: string;
            output: Record<string, never>[];
            parallel_tool_calls: boolean;
            previous_response_id?: string | null;
            reasoning: Record<string, never>;
            /** @description `in_progress`, `completed` or `incomplete`. */
            status: string;
            store: boolean;
            /** Format: double */
            temperature?: number | null;
            text: Record<string, never>;
            tool_choice: unknown;
            tools: Record<string, never>[];
            /** Format: double */
            top_p?: number | null;
            truncation: string;
            usage?: Record<string, never> | null;
        };
        ResponseRequest: {
            input: components["schemas"]["InputRequest"];
            /** @description What the model is to be, for this response alone. */
            instructions?: string | null;
            /** Format: int32 */
            max_output_tokens?: number | null;
            /** @description `dossier_thread` names the thread, as the header X-Dossier-Thread does. */
            metadata?: Record<string, never> | null;
            /** @description As in `openai/gpt-4o`, or a bare id where only one provider has it. */
            model: string;
            /** @description The response that the input follows. */
            previous_response_id?: string | null;
            prompt_cache_key?: string | null;
            reasoning?: components["schemas"]["ReasoningRequest"] | null;
            stream?: boolean | null;
            /** Format: double */
            temperature?: number | null;
            text?: components["schemas"]["TextRequest"] | null;
            /** @description `auto`, `none`, `required`, or one function. */
            tool_choice?: Record<string, never> | null;
            tools?: components["schemas"]["FunctionTool"][] | null;
            /** Format: double */
            top_p?: number | null;
        };
        RetryRequest: {
            /** @description The models to ask again; all that have not replied when empty. */
            models?: string[];
        };
        SaidResponse: {
            content?: string | null;
            reasoning_content?: string | null;
            refusal?: string | null;
            role: string;
            tool_calls?: components["schemas"]["CallWire"][];
        };
        SearchRequest: {
            /** @description A conversation whose messages are not wanted. */
            exclude_conversation_id?: string | null;
            /** @description The most passages; 10 when not given. */
            limit?: number | null;
            /** @description What stands in double quotes must be there word for word. */
            query: string;
        };
        SearchResponse: {
            /** @description The best first. */
            hits: components["schemas"]["HitResponse"][];
            /** @description What went less well than it could. */
            warnings: string[];
        };
        /**
         * @description What a reply made of what was chosen for its question. The last turns and what is pinned are not
         *     counted: they are in every dossier.
         */
        SelectionResponse: {
            /** @description Whether the model had tools to fetch more. */
            could_fetch: boolean;
            /**
             * Format: int32
             * @description What it fetched that was shown in short.
             */
            fetched_in_short: number;
            /**
             * Format: int32
             * @description What it fetched that was not shown.
             */
            fetched_left_out: number;
            /**
             * Format: int32
             * @description Items that were considered and not shown.
             */
            left_out: number;
            /**
             * Format: int32
             * @description Items that were shown, in whatever form.
             */
            shown: number;
            /**
             * Format: int32
             * @description Those of them that the reply cites, or whose own words it repeats.
             */
            used: number;
        };
        SelectionSumResponse: {
            /**
             * Format: int64
             * @description Replies whose models had tools to fetch more.
             */
            could_fetch: number;
            /**
             * Format: int64
             * @description What they fetched that was shown in short.
             */
            fetched_in_short: number;
            /**
             * Format: int64
             * @description What they fetched that was not shown.
             */
            fetched_left_out: number;
            /** @description The profile, or the day. */
            key: string;
            /**
             * Format: int64
             * @description Those of them whose models fetched something that was not shown.
             */
            lacking: number;
            /**
             * Format: int64
             * @description Items that were considered and not shown.
             */
            left_out: number;
            /**
             * Format: int64
             * @description Replies of models, personas and consultations aside.
             */
            replies: number;
            /**
             * Format: int64
             * @description Items that were shown.
             */
            shown: number;
            /**
             * Format: int64
             * @description Those of them that the replies cite, or whose own words they repeat.
             */
            used: number;
        };
        /**
         * @description How well what was chosen served the replies. What is told here is counted by words and citations,
         *     so it is worth comparing, and no measure of the answers.
         */
        SelectionsResponse: {
            /** @description Days with replies, in order. */
            by_day: components["schemas"]["SelectionSumResponse"][];
            /** @description Lean dossiers beside others. */
            by_profile: components["schemas"]["SelectionSumResponse"][];
        };
        /** @description A message as it is sent to a model. */
        SentMessageResponse: {
            content: string;
            /** @description `system`, `user` or `assistant`. */
            role: string;
        };
        /** @description A setting and where its value came from. */
        Setting: {
            applies: components["schemas"]["Applies"];
            key: string;
            /** @description Whether it cannot be set here, since something stronger says it. */
            locked: boolean;
            /** @description Such as `environment DOSSIER_EMBEDDER`. */
            origin: string;
            /** @description Secrets are masked; empty when nothing was said. */
            value: string;
        };
        /** @description The numbers of the personas that are made from it. */
        SettingsRequest: {
            /** Format: int64 */
            expiry_days?: number | null;
            /** Format: int64 */
            max_history_tokens?: number | null;
            /** Format: int64 */
            max_tokens?: number | null;
            /** Format: double */
            temperature?: number | null;
        };
        SettingsResponse: {
            settings: components["schemas"]["Setting"][];
            /**
             * @description Names of folders that are passed over wherever files are read from folders, as the setting
             *     `files.skip` has it.
             */
            skipped_folders: string[];
        };
        SkippedResponse: {
            path: string;
            reason: string;
        };
        /** @description Items of a list, or lines of a text. */
        SliceBody: {
            limit?: number | null;
            offset?: number;
        };
        /** @description Where something comes from. */
        SourceResponse: {
            /** Format: date-time */
            created_at?: string | null;
            id: string;
            /** @description The first and the last line. */
            lines?: number[] | null;
            path?: string | null;
            /** @description The part of a document, such as `page 3`. */
            place?: string | null;
            /** Format: int64 */
            round?: number | null;
            speaker?: string | null;
            /** @description `file`, `message` or `profile`. */
            type: string;
        };
        StreamOptions: {
            /** @description Whether the last piece tells what the answer took. */
            include_usage?: boolean | null;
        };
        /**
         * @description What a change is about.
         * @enum {string}
         */
        Subject: "project" | "file" | "conversation" | "persona" | "fact" | "ref" | "settings";
        /** @description Summaries of refs that models wrote. */
        SummariesResponse: {
            /**
             * Format: int64
             * @description After how many uses of each they have spared what they took.
             */
            break_even_uses?: number | null;
            /**
             * Format: double
             * @description In dollars, of those whose price is known.
             */
            cost: number;
            count: number;
            /** @description The dearest first. */
            each: components["schemas"]["SummaryResponse"][];
            /**
             * Format: int64
             * @description What they have spared so far, less what they took.
             */
            net_tokens: number;
            /**
             * Format: int64
             * @description What they took.
             */
            tokens: number;
            /** Format: int64 */
            uses: number;
        };
        /** @description What jobs took today, and what they may take. */
        SummariesTodayResponse: {
            /**
             * Format: double
             * @description In dollars.
             */
            cost: number;
            /** Format: double */
            cost_quota: number;
            /** Format: int64 */
            tokens: number;
            /** Format: int64 */
            tokens_quota: number;
        };
        SummaryResponse: {
            /**
             * Format: int64
             * @description Null for one that is not shorter than the compressed text.
             */
            break_even_uses?: number | null;
            /**
             * Format: double
             * @description In dollars, if the price is known.
             */
            cost?: number | null;
            model: string;
            /** Format: int64 */
            net_tokens: number;
            ref: string;
            /**
             * Format: int64
             * @description Without it the compressed text would be shown.
             */
            spared_tokens_per_use: number;
            /**
             * Format: int64
             * @description What it took.
             */
            tokens: number;
            /**
             * Format: int64
             * @description How often it was shown, or spared another call.
             */
            uses: number;
        };
        TestProviderResponse: {
            /** @description How many models it has, and what they are called. */
            count?: number | null;
            models: string[];
            /** @description Whether it told its models. */
            ok: boolean;
            /** @description What it said instead. */
            problem?: string | null;
            provider: string;
        };
        TextRequest: {
            /** @description `{"type": "text"}`, or `json_schema` with a name and a schema. */
            format?: Record<string, never> | null;
        };
        /** @description One text or several. */
        Texts: string | string[];
        TitleRequest: {
            title: string;
        };
        /** @description What an answer took. */
        TokensResponse: {
            /** Format: int32 */
            completion_tokens: number;
            completion_tokens_details: components["schemas"]["CompletionTokens"];
            /** Format: int32 */
            prompt_tokens: number;
            prompt_tokens_details: components["schemas"]["PromptTokens"];
            /** Format: int32 */
            total_tokens: number;
        };
        /** @description A function that the model may call and the client runs. */
        ToolRequest: {
            function?: components["schemas"]["FunctionRequest"] | null;
            /** @description `function`. */
            type: string;
        };
        ToolRunResponse: {
            /** @description As the model wrote them; secrets are masked. */
            arguments: string;
            failed: boolean;
            name: string;
            /**
             * Format: int32
             * @description Of its result.
             */
            tokens: number;
        };
        /**
         * @description One thing that happened in a turn. Its `type` is the name of its event, and each names its model,
         *     but for the last.
         */
        TurnEvent: {
            /** @description Why none is given, in one word, where answers are kept. */
            cache_miss?: string | null;
            cached?: components["schemas"]["CachedEvent"] | null;
            /** Format: int32 */
            limit: number;
            model: string;
            /** @description The receipt's id. */
            receipt: string;
            /** Format: int32 */
            tokens: number;
            /** @enum {string} */
            type: "dossier";
            /** @description Of budgets that are nearly spent, and of the dossier. */
            warnings: string[];
        } | {
            model: string;
            /** @description Of its thoughts, where the provider shows them. */
            reasoning?: string | null;
            text?: string | null;
            /** @enum {string} */
            type: "delta";
        } | {
            arguments: string;
            failed: boolean;
            model: string;
            name: string;
            /** Format: int32 */
            tokens: number;
            /** @enum {string} */
            type: "tool";
        } | {
            cached?: components["schemas"]["CachedEvent"] | null;
            /**
             * Format: double
             * @description In dollars, if the price is known.
             */
            cost?: number | null;
            /** @description Why the reply ended: `stop`, `length`, `refused`, … */
            finish: string;
            message_id: string;
            model: string;
            receipt?: string | null;
            text: string;
            /** @enum {string} */
            type: "reply";
            usage?: components["schemas"]["UsageResponse"] | null;
        } | {
            code: string;
            message: string;
            model: string;
            /**
             * Format: int64
             * @description How many seconds the provider asks to be left alone.
             */
            retry_after?: number | null;
            /** @description `failed`, `cancelled` or `interrupted`. */
            state: string;
            /** @enum {string} */
            type: "error";
        } | {
            conversation_id: string;
            /** @description The turn's id. */
            turn: string;
            /** @enum {string} */
            type: "done";
        };
        TurnRequest: {
            attachments?: components["schemas"]["AttachmentRequest"][];
            /** @description Asking again by the same name gives the first result. */
            client_message_id?: string | null;
            /** @description The conversation that the question continues; a new one when not given. */
            conversation_id?: string | null;
            /**
             * @description How long models that can think do so: `off`, `minimal`, `low`, `medium`, `high` or `max`;
             *     as long as their provider has them when not given. Their thoughts are told where the
             *     provider shows them.
             */
            effort?: string | null;
            /** @description Asks the models even where the project keeps answers and has one. */
            force_refresh?: boolean | null;
            message: string;
            /**
             * @description As in `openai/gpt-4o` or `builtin/extractive`; each answers for itself. When none is named,
             *     those of the project's `default_models`, of the owner's setting `model`, or, with no
             *     provider, `builtin/extractive`.
             */
            models?: string[];
            /** @description `lean` or `project`; the owner's setting when not given. */
            profile?: string | null;
            /** @description The project of a new conversation; the one called `default` when not given. */
            project_id?: string | null;
            /**
             * Format: int32
             * @description Tokens for everything together; the profile's when not given.
             */
            token_budget?: number | null;
        };
        TurnResponse: {
            conversation_id: string;
            /** @description The question's id. */
            message_id: string;
            /** @description In the order in which the models were named. */
            replies: components["schemas"]["ReplyResponse"][];
            turn_id: string;
        };
        /** @description A form with a part for each file; its file name is the path in the project. */
        UploadForm: {
            files: string[];
        };
        UploadResponse: {
            files: components["schemas"]["FileResponse"][];
            /** @description What was not taken, and why. */
            skipped: components["schemas"]["SkippedResponse"][];
        };
        UsageResponse: {
            /** Format: int32 */
            cached_input: number;
            /** Format: int32 */
            input: number;
            /** Format: int32 */
            output: number;
            /** Format: int32 */
            reasoning: number;
        };
        UsageSumResponse: {
            /**
             * Format: int64
             * @description Replies that were kept answers: no model was called.
             */
            cache_hits: number;
            /** Format: int64 */
            cached_input_tokens: number;
            /**
             * Format: int64
             * @description Of models.
             */
            calls: number;
            /**
             * Format: double
             * @description In dollars; calls without a known price are not in it.
             */
            cost: number;
            /** Format: int64 */
            input_tokens: number;
            /** @description The day, project, conversation, model or component. */
            key: string;
            /**
             * Format: int64
             * @description What that is worth in tokens of fresh input: less what had to be fetched or summarised for
             *     it, and less what the vendor's prefix cache would have given anyway. It can be below zero.
             */
            net_saved_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            reasoning_tokens: number;
            /**
             * Format: int64
             * @description Tokens of conversations that were not sent, and of answers that were given again.
             */
            saved_tokens: number;
            /** Format: int64 */
            unpriced_calls: number;
            /** @description Set for a conversation that took more input than a session should. */
            warning?: string | null;
        };
        UsageSumsResponse: {
            figures: components["schemas"]["FiguresResponse"];
            sums: components["schemas"]["UsageSumResponse"][];
        };
        UsedBudgetResponse: {
            /** Format: int32 */
            limit: number;
            /** Format: int32 */
            used: number;
            warnings: string[];
        };
        WaitResponse: {
            /** @description The day, project, conversation, model or component. */
            key: string;
            /**
             * Format: int64
             * @description Half of them came within so many milliseconds after the question.
             */
            median_ms: number;
            /**
             * Format: int64
             * @description Nineteen of twenty did.
             */
            p95_ms: number;
            /** @description Replies whose receipt is still there. */
            replies: number;
        };
        /** @description How long replies were waited for. */
        WaitsResponse: {
            waits: components["schemas"]["WaitResponse"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description `true` if this is the reply that the same Idempotency-Key had before */
        "Idempotency-Replayed": string;
        /** @description `hit`, `stale` or `miss`, where the project keeps answers */
        "X-Dossier-Cache": string;
        /** @description The receipt of what the model was given */
        "X-Dossier-Receipt": string;
        /** @description The conversation; of a turn, streams alone name it here */
        "X-Dossier-Thread": string;
        /** @description The turn, of a stream */
        "X-Dossier-Turn": string;
        /** @description The id of the request, by which the log tells more: the client's own, if it sent one */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    consult: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsultRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Dossier-Thread": components["headers"]["X-Dossier-Thread"];
                    "X-Dossier-Turn": components["headers"]["X-Dossier-Turn"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsultResponse"];
                    "text/event-stream": components["schemas"]["TurnEvent"];
                };
            };
            /** @description It has been started */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsultResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    assistants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    consult_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's turn_id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsultResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_consult: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The call's turn_id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    consult_sessions: {
        parameters: {
            query?: {
                /** @description Words in its name, its assistant or its title. */
                query?: string;
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsultSessionsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    describe_consult_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id, or its name where only one has it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsultDescriptionResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reset_consult_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, or its name where only one has it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsultSessionResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    assemble_context: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssembleRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssembleResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_conversation: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The conversation's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationMessagesResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_conversation: {
        parameters: {
            query?: {
                /**
                 * @description Delete at once and for good, what is hidden as well; otherwise it can be brought back for
                 *     some days.
                 */
                now?: boolean;
            };
            header?: never;
            path: {
                /** @description The conversation's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is hidden */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HiddenResponse"];
                };
            };
            /** @description It is gone for good */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    branch_conversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The conversation's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BranchRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_conversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The conversation's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description The whole conversation, which import reads back */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "application/json": unknown;
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retitle_conversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TitleRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    follow_changes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream without an end */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Change"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_facts: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only those of this project. */
                project_id?: string;
                /** @description Only those that hold, are closed, or wait for a person. */
                state?: "holds" | "closed" | "doubtful";
                kind?: "decision" | "entity" | "task" | "metric" | "link" | "fact";
                tag?: string;
                /** @description Only those with all of these words in their text, their quote or their tags. */
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_fact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search_facts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactSearchRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactSearchResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_fact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forget_fact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone for good */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_fact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactChangeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_hidden: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllHiddenResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restore_hidden: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the project, conversation or file */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is back */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HiddenResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundMessageResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_message_context: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_rendered_message_context: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderedResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refresh_models: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refresh_models_alias: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_personas: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
                include_expired?: boolean;
                /** @description A part of the name, the personality, a tag or the id. */
                search?: string;
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonasResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_persona: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePersonaRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonaResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_persona: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The persona's id, or its name */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonaResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_persona: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The persona's id, or its name */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonaRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonaResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_persona: {
        parameters: {
            query?: {
                /**
                 * @description Delete at once and for good, what is hidden as well; otherwise it can be brought back for
                 *     some days.
                 */
                now?: boolean;
            };
            header?: never;
            path: {
                /** @description The persona's id, or its name */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is hidden, and can be brought back */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HiddenResponse"];
                };
            };
            /** @description It is gone for good */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    chat_with_persona: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The persona's id, or its name */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Dossier-Thread": components["headers"]["X-Dossier-Thread"];
                    "X-Dossier-Turn": components["headers"]["X-Dossier-Turn"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatResponse"];
                    "text/event-stream": components["schemas"]["TurnEvent"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A budget is spent, or the provider wants to be paid. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The model is asked too often; Retry-After says how long to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The provider's answer is not whole. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The model did not answer in time. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    extend_persona: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The persona's id, or its name */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtendRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonaResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_persona_messages: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
                order?: "newest_first" | "oldest_first";
            };
            header?: never;
            path: {
                /** @description The persona's id, or its name */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonaMessagesResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_persona_messages: {
        parameters: {
            query?: {
                /** @description Ids of messages, parted by commas. */
                message_ids?: string;
                /** @description An ISO 8601 time: what was said before it goes. */
                older_than?: string;
                /** @description Everything goes. */
                all?: boolean;
            };
            header?: never;
            path: {
                /** @description The persona's id, or its name */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_presets: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
                /** @description Those that were put away as well. */
                include_inactive?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_preset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresetRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_preset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The preset's id or its key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_preset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The preset's id or its key */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_preset: {
        parameters: {
            query?: {
                /**
                 * @description Delete at once and for good, what is hidden as well; otherwise it can be brought back for
                 *     some days.
                 */
                now?: boolean;
            };
            header?: never;
            path: {
                /** @description The preset's id or its key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it was last */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_preset_figures: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The preset's id or its key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetFiguresResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    judge_preset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The preset's id or its key */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetFiguresResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_projects: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeProjectRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_project: {
        parameters: {
            query?: {
                /**
                 * @description Delete at once and for good, what is hidden as well; otherwise it can be brought back for
                 *     some days.
                 */
                now?: boolean;
            };
            header?: never;
            path: {
                /** @description The project's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is hidden */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HiddenResponse"];
                };
            };
            /** @description It is gone for good */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_conversations: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The project's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_conversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The project's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportRequest"];
            };
        };
        responses: {
            /** @description It was here */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            /** @description It is new */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_files: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The project's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_files: {
        parameters: {
            query?: {
                /** @description Whether a file that is there is replaced; it is refused when not given. */
                replace?: boolean;
            };
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The project's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFileRequest"];
                "multipart/form-data": components["schemas"]["UploadForm"];
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateFileResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id */
                id: string;
                /** @description The file's id */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileContentResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replace_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id */
                id: string;
                /** @description The file's id */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceFileRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_file: {
        parameters: {
            query?: {
                /**
                 * @description Delete at once and for good, what is hidden as well; otherwise it can be brought back for
                 *     some days.
                 */
                now?: boolean;
            };
            header?: never;
            path: {
                /** @description The project's id */
                id: string;
                /** @description The file's id */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is hidden */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HiddenResponse"];
                };
            };
            /** @description It is gone for good */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_file_metadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project's id */
                id: string;
                /** @description The file's id */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The project's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_providers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProvidersResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_provider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeProviderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    test_provider: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The provider's name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestProviderResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_receipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The receipt's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_rendered_receipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The receipt's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderedResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_refs: {
        parameters: {
            query?: {
                /** @description Rows on a page; 100 when not given. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only those of this kind. */
                kind?: string;
                /** @description Only those with this in their id or their summary. */
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_ref: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sum_refs: {
        parameters: {
            query?: {
                /** @description What the sums are made for; kinds when not given. */
                by?: "kind" | "day";
                /** @description The first day, as in `2026-11-15`. */
                from?: string;
                project_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefSumsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_ref: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `ref:<kind>:<hash>`; eight digits are enough */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forget_ref: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `ref:<kind>:<hash>`; eight digits are enough */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone for good */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    expand_ref: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `ref:<kind>:<hash>`, with `:summary` or `:compressed` behind it for these, or the id of a message */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExpandBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpandResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mark_ref_stale: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description `ref:<kind>:<hash>`; eight digits are enough */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search_everywhere: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GlobalSearchRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GlobalSearchResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSettingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    turn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last event that was heard */
                "Last-Event-ID"?: string | null;
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TurnRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Dossier-Thread": components["headers"]["X-Dossier-Thread"];
                    "X-Dossier-Turn": components["headers"]["X-Dossier-Turn"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnResponse"];
                    "text/event-stream": components["schemas"]["TurnEvent"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forecast_turn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TurnRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForecastResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    follow_turn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last event that was heard */
                "Last-Event-ID"?: string | null;
            };
            path: {
                /** @description The turn's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Dossier-Thread": components["headers"]["X-Dossier-Thread"];
                    "X-Dossier-Turn": components["headers"]["X-Dossier-Turn"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnResponse"];
                    "text/event-stream": components["schemas"]["TurnEvent"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_turn: {
        parameters: {
            query?: {
                /** @description The one model whose reply is given up; all of them when not given. */
                model?: string;
            };
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The turn's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retry_turn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The turn's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Dossier-Thread": components["headers"]["X-Dossier-Thread"];
                    "X-Dossier-Turn": components["headers"]["X-Dossier-Turn"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnResponse"];
                    "text/event-stream": components["schemas"]["TurnEvent"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: {
                /** @description What the sums are made for; days when not given. */
                by?: "day" | "project" | "conversation" | "thread" | "model" | "component";
                /** @description The first and the last day, as in `2026-11-15`. */
                from?: string;
                to?: string;
                project_id?: string;
                conversation_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSumsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    waits: {
        parameters: {
            query?: {
                /** @description What the sums are made for; days when not given. */
                by?: "day" | "project" | "conversation" | "thread" | "model" | "component";
                /** @description The first and the last day, as in `2026-11-15`. */
                from?: string;
                to?: string;
                project_id?: string;
                conversation_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    is_alive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    is_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_chat_completion: {
        parameters: {
            query?: never;
            header?: {
                /** @description A thread's id, or a name of the client's own */
                "X-Dossier-Thread"?: string | null;
                /** @description A project's id or name */
                "X-Dossier-Project"?: string | null;
                /** @description lean, project, or off */
                "X-Dossier-Profile"?: string | null;
                /** @description refresh asks the model even where an answer is kept */
                "X-Dossier-Cache"?: string | null;
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompletionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Dossier-Cache": components["headers"]["X-Dossier-Cache"];
                    "X-Dossier-Receipt": components["headers"]["X-Dossier-Receipt"];
                    "X-Dossier-Thread": components["headers"]["X-Dossier-Thread"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletionResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A budget is spent, or the provider wants to be paid. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The model is asked too often; Retry-After says how long to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The provider's answer is not whole. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The model did not answer in time. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_embeddings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingsResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_openai_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelListResponse"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_openai_model: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The model's name; a slash in it is written %2F */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelObject"];
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_response: {
        parameters: {
            query?: never;
            header?: {
                /** @description A thread's id, or a name of the client's own */
                "X-Dossier-Thread"?: string | null;
                /** @description A project's id or name */
                "X-Dossier-Project"?: string | null;
                /** @description lean, project, or off */
                "X-Dossier-Profile"?: string | null;
                /** @description refresh asks the model even where an answer is kept */
                "X-Dossier-Cache"?: string | null;
                /** @description The same request with the same key is done once, and answered the same */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponseRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Dossier-Cache": components["headers"]["X-Dossier-Cache"];
                    "X-Dossier-Receipt": components["headers"]["X-Dossier-Receipt"];
                    "X-Dossier-Thread": components["headers"]["X-Dossier-Thread"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseObject"];
                    "text/event-stream": string;
                };
            };
            /** @description The request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An access token is required, or the one that was shown is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A budget is spent, or the provider wants to be paid. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The server is not known by this name, another site asks, or another owner decides. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is there already, or the same request is under way or was answered before. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has another media type than is asked for. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is understood and not valid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The model is asked too often; Retry-After says how long to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Something went wrong; the log tells more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The provider's answer is not whole. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy, too slow, or without its store; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The model did not answer in time. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
