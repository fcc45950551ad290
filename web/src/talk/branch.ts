// A question that is asked where another stood: in a branch of its own, and the old one stays.
import { answer, api } from '../api/client';
import { words } from '../api/problem';
import type { Attachment, Message, TurnRequest } from '../api/types';
import { notices } from '../state/notices.svelte';
import { router } from '../state/route.svelte';
import { parted } from './attached';
import { conversation } from './conversation.svelte';
import { imagesOf } from './images';
import type { Round } from './rounds';

/** The profiles that one can ask with. */
const PROFILES = ['lean', 'project'];

/** Asks in the place of a question, with what came with it and as much context as it had. */
export async function askInstead(
  round: Round,
  question: Message,
  asked: Pick<TurnRequest, 'message' | 'models' | 'force_refresh'>,
): Promise<void> {
  try {
    const profile = await profileOf(round);
    const request = { ...asked, attachments: attachmentsOf(round, question), ...(profile && { profile }) };
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

/** The texts that came with a question, and its images where this tab has sent them. */
function attachmentsOf(round: Round, question: Message): Attachment[] {
  const { attached } = parted(question.content);
  const texts = attached.flatMap(({ name, content }) => (content === undefined ? [] : { name, content }));
  const images = imagesOf(round.turnId);
  if (texts.length + images.length < attached.length) {
    notices.trouble('The question goes without its images, which are not kept: attach them anew.');
  }
  return [...texts, ...images];
}

async function profileOf(round: Round): Promise<string | undefined> {
  const id = round.replies.find((reply) => reply.receiptId)?.receiptId;
  if (!id) return undefined;
  const { profile } = await answer(api.GET('/api/receipts/{id}', { params: { path: { id } } }));
  return PROFILES.find((known) => known === profile);
}
