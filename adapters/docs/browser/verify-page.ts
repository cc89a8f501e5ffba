import { HubKeys } from '../../../domain/verification/hub-keys.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { byId, el } from './elements.ts';
import { enclosedIn } from './enclosed.ts';
import { shownEntries } from './shown-entries.ts';
import { KeptStatements, showKept } from './kept-statements.ts';
import { showChecks, showVerdict } from './show-report.ts';
import { showLifecycle } from './show-lifecycle.ts';
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
const saveReceipts = byId('save-receipts', HTMLButtonElement);
const result = byId('result', HTMLElement);
const fault = byId('pin-fault', HTMLElement);

const enclosed = enclosedIn(document);
let chosen: Uint8Array | null = enclosed && new TextEncoder().encode(enclosed.text);
/** The newest verification is the one that is shown. */
let turn = 0;

const verify = async (): Promise<void> => {
  const mine = ++turn;
  fault.textContent = '';
  pin.removeAttribute('aria-invalid');
  if (!chosen) {
    result.replaceChildren(el('p', {}, 'Choose a file first.'));
    return;
  }
  try {
    const listing = keys.files?.[0];
    const trust = trusted(pin.value, listing ? await bytesOf(listing) : null);
    const bytes = chosen;
    const given = await kept.read();
    result.replaceChildren(el('p', {}, 'Verifying…'));
    const report = await verifyFile(bytes, {
      trust,
      keys: new HubKeys(),
      kept: given.map((one) => one.bytes),
      ...(enclosed ? { receipts: enclosed.attestations } : {}),
      story: { maxSteps: MAX_STEPS },
    });
    if (mine !== turn) return;
    const { story } = report;
    const held = showKept(report, given);
    const lifecycle = story ? showLifecycle(story.steps) : null;
    result.replaceChildren(
      showVerdict(report),
      ...(held ? [held] : []),
      ...(enclosed && enclosed.missing !== null
        ? [el('p', { id: 'missing' }, `Not all receipts are in this file: ${enclosed.missing}`)]
        : []),
      ...(story
        ? [showStory(story, { entries: shownEntries(bytes), failures: report.failures })]
        : []),
      ...(lifecycle ? [lifecycle] : []),
      showChecks(report),
    );
  } catch (error) {
    if (!(error instanceof PinError)) throw error;
    fault.textContent = error.message;
    pin.setAttribute('aria-invalid', 'true');
    result.replaceChildren();
  }
};

const bytesOf = async (one: Blob): Promise<Uint8Array> => new Uint8Array(await one.arrayBuffer());

const take = async (one: File): Promise<void> => {
  chosen = await bytesOf(one);
  await verify();
};

const download = (name: string, content: Blob): void => {
  const url = URL.createObjectURL(content);
  el('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void verify().then(() => result.focus());
});
file.addEventListener('change', () => {
  const one = file.files?.[0];
  if (one) void take(one);
});
keys.addEventListener('change', () => void verify());
const kept = new KeptStatements(() => void (chosen && verify()));
for (const name of ['dragover', 'dragleave', 'drop'] as const)
  document.addEventListener(name, (event) => {
    event.preventDefault();
    const isKept = enclosed !== null || kept.isOver(event.target);
    drop.classList.toggle('over', name === 'dragover' && !isKept);
    kept.mark(name === 'dragover' && isKept);
    const files = name === 'drop' ? [...(event.dataTransfer?.files ?? [])] : [];
    const [one] = files;
    if (one && isKept) kept.take(files);
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
