import type { Told } from './story-front-end.ts';
import type { Body } from '../service/world.ts';

/** What was told, without what each protocol says in a form of its own: how steps are called, and statuses. */
export const commonForm = (told: Told): unknown =>
  'refusal' in told
    ? { ...told, refusal: { ...told.refusal, detail: commonDetail(told.refusal.detail) } }
    : { ...told, view: commonView(told.view) };

/** The same without the ids, the times and the hashes, which differ from one telling to the next. */
export const withoutIds = (tellings: readonly unknown[], orgName: string): unknown => {
  const ids: string[] = [];
  const text = JSON.stringify(tellings)
    .replaceAll(/"requestId":"[^"]+"/g, '"requestId":"…"')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `id ${ids.indexOf(id)}`;
    })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'a hash')
    .replaceAll(/"coseSign1":"[^"]+"/g, '"coseSign1":"…"')
    .replaceAll(/"nextCursor":"[^"]+"/g, '"nextCursor":"…"')
    .replaceAll(`"publisher":"${orgName.toLowerCase()}"`, '"publisher":"…"');
  return JSON.parse(text);
};

const commonView = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(commonView);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (name === 'nextSteps') return [[name, (member as Body[]).map(commonStep)]];
      // The outcome of an item of many: a problem document there, a refusal here.
      if (name === 'error') return [[name, commonDetail((member as { detail: string }).detail)]];
      if (name === 'status' && typeof member === 'number') return [];
      return [[name, commonView(member)]];
    }),
  );
};

/**
 * REST says by method and path what others say by operation and input, and in words what of the body is certain; A2A
 * names the skill as well, and MCP the tool instead.
 */
const commonStep = ({
  method,
  href,
  skill: _,
  operation,
  input,
  tool,
  arguments: given,
  description,
  ...step
}: Body): unknown => ({
  ...step,
  isCallable: Boolean((method && href) || (operation && input) || (tool && given)),
  description: String(description).replace(/; the body is \{.*\}$/, ''),
});

const commonDetail = (detail: string): string =>
  detail.replace(/^The (?:body|query|path|message) is not valid/, 'The input is not valid');
