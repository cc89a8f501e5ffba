import { HubKeys } from '../../../domain/verification/platform/hub-keys.ts';
import { verifyBothSides } from '../../../domain/verification/verify-both-sides.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { byId, el } from './elements.ts';
import { enclosedIn } from './enclosed.ts';
import { shownEntries } from './shown-entries.ts';
import { KeptStatements, showKept } from './kept-statements.ts';
import { OtherSide, showBothSides } from './other-side.ts';
import { showChecks, showVerdict } from './show-report.ts';
import { showLifecycle } from './show-lifecycle.ts';
import { showSummary } from './show-summary.ts';
import { showStory } from './show-story.ts';
import { PinError, trusted } from './trusted.ts';

/** How many steps are told; of more, the first and the last ones. */
const MAX_STEPS = 1_000;

const form = byId('form', HTMLFormElement);
const file = byId('file', HTMLInputElement);
const drop = byId('drop', HTMLElement);
const pin = byId('pin', HTMLInputElement);
const keys = byId('keys', HTMLInputElement);
const save = byId('save', HTMLButtonElement);
const experts = byId('experts', HTMLDetailsElement);
const saveReceipts = byId('save-receipts', HTMLButtonElement);
const result = byId('result', HTMLElement);
const details = byId('details', HTMLElement);
const FIELDS = (['pin', 'with-pin', 'keys'] as const).map((id) => ({
  input: byId(id, HTMLInputElement),
  fault: byId(`${id}-fault`, HTMLElement),
}));

const enclosed = enclosedIn(document);
let chosen: Uint8Array | null = enclosed && new TextEncoder().encode(enclosed.text);
/** The newest verification is the one that is shown. */
let turn = 0;

const verify = async (): Promise<void> => {
  const mine = ++turn;
  for (const { input, fault } of FIELDS) {
    fault.textContent = '';
    input.removeAttribute('aria-invalid');
  }
  if (!chosen) {
    result.replaceChildren(el('p', { class: 'pending' }, 'Choose a file first.'));
    return;
  }
  try {
    const listing = keys.files?.[0];
    const trust = trusted(pin.value, listing ? await bytesOf(listing) : null);
    const bytes = chosen;
    const given = await kept.read();
    const second = await other.read();
    clearVerdict();
    result.append(el('p', { class: 'pending' }, 'Verifying…'));
    const story = { maxSteps: MAX_STEPS };
    const now = new Date().toISOString();
    const options = {
      trust,
      now,
      keys: new HubKeys(),
      kept: given.map((one) => one.bytes),
      ...(enclosed ? { receipts: enclosed.attestations } : {}),
      story,
    };
    const both =
      second &&
      (await verifyBothSides(
        { input: bytes, options },
        { input: second.bytes, options: { trust: second.trust, now, story } },
      ));
    const report = both ? both.report : await verifyFile(bytes, options);
    if (mine !== turn) return;
    const { story: told } = report;
    const held = showKept(report, given);
    const lifecycle = told ? showLifecycle(told.steps) : null;
    const summary = showSummary(report);
    result.replaceChildren(...(summary ? [summary] : []), showVerdict(report));
    details.replaceChildren(
      ...(both ? [showBothSides(both, second.name)] : []),
      ...(held ? [held] : []),
      ...(enclosed && enclosed.missing !== null
        ? [el('p', { id: 'missing' }, `Not all receipts are in this file: ${enclosed.missing}`)]
        : []),
      ...(told
        ? [showStory(told, { entries: shownEntries(bytes), failures: report.failures })]
        : []),
      ...(lifecycle ? [lifecycle] : []),
      showChecks(report),
    );
  } catch (error) {
    if (!(error instanceof PinError)) throw error;
    if (mine === turn) showFault(error);
  }
};

/** The verdict goes, because it is not about what the fields say now. */
const showFault = ({ field, message }: PinError): void => {
  const { input, fault } = FIELDS.find((one) => one.input.id === field)!;
  fault.textContent = message;
  input.setAttribute('aria-invalid', 'true');
  if (field !== 'pin') experts.open = true;
  clearVerdict();
};

/** The summary stays, so that the field does not move under the reader. */
const clearVerdict = (): void => {
  for (const one of result.querySelectorAll('.verdict, p.pending')) one.remove();
  details.replaceChildren();
};

const bytesOf = async (one: Blob): Promise<Uint8Array> => new Uint8Array(await one.arrayBuffer());

const take = async (one: File): Promise<void> => {
  chosen = await bytesOf(one);
  result.replaceChildren();
  await verify();
};

const download = (name: string, content: Blob): void => {
  const url = URL.createObjectURL(content);
  el('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
};

const isWrong = ({ input }: { readonly input: HTMLInputElement }): boolean =>
  input.hasAttribute('aria-invalid');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void verify().then(() => (FIELDS.find(isWrong)?.input ?? result).focus());
});
file.addEventListener('change', () => {
  const one = file.files?.[0];
  if (one) void take(one);
});
keys.addEventListener('change', () => void verify());
// A verdict is about the keys that were in the fields, so it goes as soon as one of them changes.
for (const { input } of FIELDS) input.addEventListener('input', clearVerdict);
const kept = new KeptStatements(() => void (chosen && verify()));
const other = new OtherSide(() => void (chosen && verify()));
for (const name of ['dragover', 'dragleave', 'drop'] as const)
  document.addEventListener(name, (event) => {
    event.preventDefault();
    const isOther = other.isOver(event.target);
    const isKept = !isOther && (enclosed !== null || kept.isOver(event.target));
    drop.classList.toggle('over', name === 'dragover' && !isKept && !isOther);
    kept.mark(name === 'dragover' && isKept);
    other.mark(name === 'dragover' && isOther);
    const files = name === 'drop' ? [...(event.dataTransfer?.files ?? [])] : [];
    const [one] = files;
    if (one && isOther) other.take(one);
    else if (one && isKept) kept.take(files);
    else if (one) void take(one);
  });

if (enclosed !== null) {
  drop.hidden = true;
  save.hidden = false;
  save.addEventListener('click', () =>
    download('export.json', new Blob([enclosed.text], { type: 'application/json' })),
  );
  const [attestation, ...others] = enclosed.attestations;
  // One file holds the chain of one record.
  if (attestation && others.length === 0) {
    saveReceipts.hidden = false;
    saveReceipts.addEventListener('click', () =>
      download(
        'attestation.cose',
        new Blob([attestation.slice()], { type: 'application/cose-sequence' }),
      ),
    );
  }
  void verify();
}
