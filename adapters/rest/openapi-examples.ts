import type { RouteDoc } from '../http/route-doc.ts';
import { type Json, ref } from './openapi-components.ts';

/** The examples of answers. One that several operations show is a component. */
export class AnswerExamples {
  readonly components: Json;
  /** By the text of the example. */
  private readonly names = new Map<string, string>();

  constructor(routes: readonly RouteDoc[]) {
    const seen = new Map<string, { readonly operationId: string; count: number }>();
    for (const { operationId, answers, produces } of routes)
      for (const { example, texts } of Object.values(answers)) {
        // What is never sent as JSON shows its own text.
        if (produces.every((mediaType) => texts?.[mediaType] !== undefined)) continue;
        const text = JSON.stringify(example);
        const found = seen.get(text);
        if (found) found.count += 1;
        else seen.set(text, { operationId, count: 1 });
      }
    const shared = [...seen].filter(([text, { count }]) => count > 1 && text.length > SHORT);
    for (const [text, { operationId }] of shared)
      this.names.set(text, `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Answer`);
    this.components = Object.fromEntries(
      [...this.names].map(([text, name]) => [name, { value: JSON.parse(text) as unknown }]),
    );
  }

  /** As a member of a media type object. */
  show(example: unknown): Json {
    const name = this.names.get(JSON.stringify(example));
    return name === undefined ? { example } : { examples: { [name]: ref(`examples/${name}`) } };
  }
}

/** Characters; a reference is not shorter. */
const SHORT = 100;
