import { jsonParts } from '../../application/call/streamed-view.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { LaterAnswer } from './later-answer.ts';

/** A message whose one data part holds a list that is read while it is sent. */
export class StreamedData extends LaterAnswer {
  constructor(
    readonly head: JsonObject,
    private readonly view: unknown,
  ) {
    super();
  }

  with(head: JsonObject): StreamedData {
    return new StreamedData(head, this.view);
  }

  async *responseParts(id: JsonValue, isBare: boolean): AsyncGenerator<string> {
    const head = JSON.stringify(this.head).slice(0, -1);
    const kind = isBare ? '"kind":"data",' : '';
    yield `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${isBare ? '' : '{"message":'}${head},"parts":[{${kind}"data":`;
    yield* jsonParts(this.view);
    yield `}]}${isBare ? '' : '}'}}`;
  }
}
