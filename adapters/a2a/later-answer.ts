import type { JsonValue } from '../../domain/kernel/canonical-json.ts';

/** An answer that is made while it is sent. */
export abstract class LaterAnswer {
  /** The text of the response, in parts. @param isBare the result is the message or task itself, as in 0.3. */
  abstract responseParts(id: JsonValue, isBare: boolean): AsyncIterable<string>;
}
