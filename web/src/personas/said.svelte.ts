// What was said with the persona in view. It stands in a conversation of its own, which is followed as
// any other: streams go on after a reload, and other tabs see them.
import { ConversationInView } from '../talk/conversation.svelte';

export const said = new ConversationInView();
