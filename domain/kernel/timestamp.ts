import type { JsonValue } from './canonical-json.ts';

const TIMESTAMP = /^\d{4}-(?:0[1-9]|1[0-2])-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** ISO 8601 in UTC with milliseconds, of a day that the calendar has. */
export const isTimestamp = (value: JsonValue | undefined): value is string => {
  const day = typeof value === 'string' ? TIMESTAMP.exec(value)?.[1] : undefined;
  // Every month has 28 days; only the others need the calendar.
  return day !== undefined && ((day >= '01' && day <= '28') || isOfCalendar(value as string));
};

const isOfCalendar = (value: string): boolean => {
  const milliseconds = Date.parse(value);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === value;
};
