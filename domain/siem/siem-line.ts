import type { NumberedEvent } from '../event/event.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';
import { jsonLine } from '../kernel/json-line.ts';
import { ocsfEvent, type SiemSource } from './ocsf-event.ts';

export const SIEM_FORMATS = ['ocsf', 'raw'] as const;
export type SiemFormat = (typeof SIEM_FORMATS)[number];

/** Whatever an event holds, its line can be cut down to this, bytes. */
export const SMALLEST_LINE = 1024;

export interface LineOptions {
  readonly format: SiemFormat;
  readonly source: SiemSource;
  /** Of the line as it is sent, with its line feed, UTF-8. At least SMALLEST_LINE. */
  readonly maxBytes: number;
}

/**
 * An event as one line of NDJSON, the same for whoever pulls and whoever is pushed to. A line that would be too long loses its
 * data first, then the end of its message; no line is left out.
 */
export const siemLine = (
  event: NumberedEvent,
  { format, source, maxBytes }: LineOptions,
): string => {
  const whole = format === 'raw' ? rawEvent(event) : ocsfEvent(event, source);
  const line = lineOf(whole);
  if (bytesOf(line) <= maxBytes) return line;
  const body = format === 'raw' ? 'payload' : 'unmapped';
  const truncated: JsonObject = {
    truncated: true,
    ...(event.recordId === null ? {} : { recordId: event.recordId }),
  };
  const cut = { ...whole, [body]: truncated };
  const { message } = cut as { readonly message?: unknown };
  if (typeof message !== 'string') return lineOf(cut);
  return lineOf({
    ...cut,
    message: fitting(message, maxBytes - bytesOf(lineOf({ ...cut, message: '' }))),
  });
};

/** The id is that of the event, which every delivery of it has. */
const rawEvent = ({ type, data, createdAt, id }: NumberedEvent): JsonObject => ({
  type,
  payload: data,
  timestamp: createdAt,
  id,
});

const lineOf = (value: JsonObject): string => `${jsonLine(JSON.stringify(value))}\n`;

const ENCODER = new TextEncoder();
const bytesOf = (text: string): number => ENCODER.encode(text).length;

/** As many whole characters from the beginning as take no more than so many bytes inside a JSON text. */
const fitting = (text: string, bytes: number): string => {
  let used = 0;
  let kept = '';
  for (const character of text) {
    used += bytesOf(jsonLine(JSON.stringify(character))) - 2;
    if (used > bytes) break;
    kept += character;
  }
  return kept;
};
