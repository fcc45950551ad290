// A question that is asked where another stood: in a branch of its own, and the old one stays.
import { answer, api } from '../api/client';
import { words } from '../api/problem';
import type { Message, TurnRequest } from '../api/types';
import { notices } from '../state/notices.svelte';
import { router } from '../state/route.svelte';
import { parted } from './attached';
import { conversation } from './conversation.svelte';
import type { Round } from './rounds';

/** Asks in the place of a question, with the texts that came with it; of images only names are known. */
export async function askInstead(
  round: Round,
  question: Message,
  asked: Pick<TurnRequest, 'message' | 'models' | 'force_refresh'>,
): Promise<void> {
  const { attached } = parted(question.content);
  const attachments = attached.flatMap(({ name, content }) => (content === undefined ? [] : { name, content }));
  const request = { ...asked, attachments };
  try {
    if (round.number <= 1) {
      const project_id = conversation.info?.project_id;
      router.go('talk');
      conversation.show('');
      conversation.ask({ ...request, project_id });
      return;
    }
    const params = { path: { id: conversation.id } };
    const body = { message_id: question.id, before: true };
    const branch = await answer(api.POST('/api/conversations/{id}/branch', { params, body }));
    router.go('talk', [branch.id]);
    conversation.show(branch.id);
    conversation.ask({ ...request, conversation_id: branch.id });
  } catch (error) {
    notices.trouble(words(error));
  }
}
