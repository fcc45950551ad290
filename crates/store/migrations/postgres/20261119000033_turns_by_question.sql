-- Whether a question was learned from is asked after each turn; all turns of its thread were read for it.
CREATE INDEX turns_question ON turns (owner, conversation_id, message_id);
DROP INDEX turns_conversation;
