import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { ArtifactUpdate } from './task-stream.ts';

/** Makes the JSON text of an update once for all streams that send it, and holds it while one of them still does. */
export class SharedTexts {
  readonly #texts = new WeakMap<ArtifactUpdate, Uint8Array>();

  /** @param shown the form of the update in the version that is spoken. */
  of(update: ArtifactUpdate, shown: (update: ArtifactUpdate) => JsonObject): Uint8Array {
    const known = this.#texts.get(update);
    if (known) return known;
    const text = new TextEncoder().encode(JSON.stringify(shown(update)));
    this.#texts.set(update, text);
    return text;
  }
}
