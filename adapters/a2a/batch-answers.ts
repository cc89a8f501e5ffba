import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

/** Characters of the answers of a batch beyond which none of its further calls is carried out: all are held at once. */
const MAX_HELD = 4 * 1024 * 1024;

/** The answers of a batch, each made text by itself: the text of all of them at once would hold everybody else up. */
export class BatchAnswers {
  private readonly texts: string[] = [];
  private held = 0;

  /** Whether there is room for an answer to this call. A notification has none. */
  hasRoomFor(value: JsonValue): boolean {
    return this.held <= MAX_HELD || (isObject(value) && !Object.hasOwn(value, 'id'));
  }

  add(answer: JsonObject): void {
    const text = JSON.stringify(answer);
    this.held += text.length;
    this.texts.push(text);
  }

  /** Null where nothing is answered. */
  get text(): string | null {
    return this.texts.length === 0 ? null : `[${this.texts.join(',')}]`;
  }
}

export const answersTooLarge = (): NotaryError =>
  new NotaryError(
    'PAYLOAD_TOO_LARGE',
    `The answers to the calls before this one have more than ${MAX_HELD} characters together, so this call of the batch was not carried out.`,
    { suggestion: 'Send it again, in a smaller batch or alone.' },
  );
