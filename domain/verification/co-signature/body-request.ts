import type { JsonValue } from '../../kernel/canonical-json.ts';
import { A2A_PATH, readA2aRequest } from './a2a-request.ts';
import type { AskedByBody } from './asked-by-body.ts';
import { MCP_PATH, readMcpRequest } from './mcp-request.ts';

/** What a body asks for, at a path that says neither the record nor the action. */
export type BodyAsked = AskedByBody;
type Read = (body: JsonValue, item: number | undefined) => BodyAsked | null;

const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  [A2A_PATH, readA2aRequest],
  [MCP_PATH, readMcpRequest],
]);

/** How the body of a request at this path is read; undefined where the path says what is asked for. */
export const readerAt = (path: string): Read | undefined => READERS.get(path);
