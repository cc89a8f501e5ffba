/** Of what a record of a call is about. */
export const DEFAULT_TYPE = 'mcp.tool-call';

const HASH = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;

/** How calls end, as far as the wrapper sees it. */
export const OUTCOMES = [
  'result',
  'error',
  'input-required',
  'task',
  'unanswered',
  'not-forwarded',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The record type of what a wrapper notarizes; an admin of the org registers it once (POST /v1/schemas). */
export const wrapType = (type: string) => ({
  type,
  description: 'What an agent asked of a tool server, and what it was answered',
  completionSchema: {},
  criteriaSchema: {
    type: 'object',
    required: ['event', 'session', 'call', 'command', 'tool', 'requestId'],
    properties: {
      event: { enum: ['call', 'result'] },
      session: { type: 'string', format: 'uuid', description: 'One run of the tool server' },
      call: {
        ...COUNT,
        description: 'Which call of the session, from 0; its result says the same',
      },
      command: { type: 'string', description: 'That was run, without what it was given' },
      server: { type: 'string', description: 'What the tool server calls itself' },
      tool: { type: 'string' },
      requestId: { type: 'string', description: 'The id of the JSON-RPC request, as JSON' },
      at: {
        type: 'string',
        format: 'date-time',
        description: 'By the clock of the machine; a record that waited is sealed later',
      },
      messageSha256: { ...HASH, description: 'Of the line, byte for byte, without its newline' },
      argumentsSha256: { ...HASH, description: 'Of the arguments in their RFC 8785 form' },
      arguments: { description: 'Where contents were asked for' },
      outcome: { enum: [...OUTCOMES] },
      isError: { type: 'boolean', description: 'What the tool said of its result' },
      resultSha256: { ...HASH, description: 'Of the result or the error in its RFC 8785 form' },
      result: { description: 'Where contents were asked for' },
      wasCancelled: { type: 'boolean', description: 'The host had given the call up' },
      reason: { type: 'string', description: 'Why there is no answer' },
      elapsedMs: COUNT,
    },
    additionalProperties: false,
  },
});
