// What is being written: the words, what is attached, and how it is to be asked.
import type { Attachment, TurnRequest } from '../api/types';
import { models } from '../state/models.svelte';

/** The most bytes of one attachment. */
const LARGEST = 5_000_000;

class Draft {
  text = $state('');
  attachments = $state<Attachment[]>([]);
  /** None for what the settings say. */
  profile = $state('');
  /** How long models that can think do so; none for what their providers have. */
  effort = $state('');

  get isEmpty(): boolean {
    return this.text.trim() === '';
  }

  request(conversation: string, project: string): TurnRequest {
    return {
      message: this.text.trim(),
      models: models.chosen,
      attachments: $state.snapshot(this.attachments),
      ...(this.profile && { profile: this.profile }),
      ...(this.effort && models.canThink && { effort: this.effort }),
      ...(conversation ? { conversation_id: conversation } : project && { project_id: project }),
    };
  }

  /** Puts back what could not be asked, unless something else is being written. */
  restore(request: TurnRequest): void {
    if (!this.isEmpty) return;
    this.text = request.message;
    this.attachments = request.attachments ?? [];
  }

  clear(): void {
    this.text = '';
    this.attachments = [];
  }

  /** Attaches files; returns what could not be attached, and why. */
  async attach(files: Iterable<File>): Promise<string[]> {
    const refused: string[] = [];
    for (const file of files) {
      try {
        const attachment = file.size > LARGEST ? null : await read(file);
        if (attachment) this.attachments.push(attachment);
        else refused.push(`${file.name} is neither text nor an image of at most 5 MB.`);
      } catch {
        refused.push(`${file.name} cannot be read.`);
      }
    }
    return refused;
  }

  detach(place: number): void {
    this.attachments.splice(place, 1);
  }
}

async function read(file: File): Promise<Attachment | null> {
  if (file.type.startsWith('image/')) {
    return { name: file.name, mime_type: file.type, base64: await base64(file) };
  }
  const content = await file.text();
  return content.includes('\0') || content.includes('\uFFFD') ? null : { name: file.name, content };
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read`));
    reader.readAsDataURL(file);
  });
}

export const draft = new Draft();
