import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { ArtifactUpdate } from './task-stream.ts';

/** The JSON text of updates that several streams tell, made once and held while somebody still sends it. */
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
