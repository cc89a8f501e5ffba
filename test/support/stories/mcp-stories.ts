import { KIND_STATUS } from '../../../adapters/http/problem.ts';
import { META } from '../../../adapters/mcp/refusal.ts';
import { toolFor } from '../../../adapters/mcp/tools.ts';
import type { ErrorKind } from '../../../domain/kernel/errors.ts';
import { callTool } from '../clients/mcp.ts';
import type { Step, StoryFrontEnd, Told } from './story-front-end.ts';
import { Client, type Body } from '../service/world.ts';

/** Tells stories by tools of MCP. */
export class McpStories implements StoryFrontEnd {
  constructor(private readonly url: string) {}

  async perform({ credential, operation, input, key, expectedVersions }: Step): Promise<Told> {
    const tool = toolFor({ operation, input });
    if (!tool) throw new TypeError(`MCP does not bind ${operation}`);
    const fixed = tool.fixed ?? {};
    const given = Object.entries(input).filter(([name]) => !(name in fixed));
    const isWrite = tool.operation.effect === 'write';
    return toldBy(
      await callTool(new Client(this.url, credential), tool.name, {
        ...Object.fromEntries(given),
        ...(key === undefined || !isWrite ? {} : { idempotencyKey: key }),
        ...(expectedVersions ? { expectedVersions } : {}),
      }),
    );
  }
}

const toldBy = ({ isError, structuredContent, _meta: meta }: Body): Told => {
  const isReplay = meta[META.isReplay] === true;
  if (isError) {
    const { detail, errors, requestId, status } = meta[META.problem] as Body;
    return {
      isReplay,
      refusal: { kind: kinds.get(status)!, detail, errors: errors ?? [], requestId },
    };
  }
  const version = meta[META.version] as number | undefined;
  const isNew = meta[META.isNew] as boolean | undefined;
  return {
    isReplay,
    view: structuredContent as Body,
    ...(version === undefined ? {} : { version }),
    ...(isNew === undefined ? {} : { isNew }),
  };
};

const kinds: ReadonlyMap<number, ErrorKind> = new Map(
  Object.entries(KIND_STATUS).map(([kind, status]) => [status, kind as ErrorKind]),
);
