import { join } from 'node:path';
import type { DemoService } from './demo-service.ts';
import type { EnclosedReceipts } from './evidence-page.ts';

export interface DemoStep {
  readonly title: string;
  /** Rejects where the step fails; otherwise gives the lines that say what it proved. */
  run(): Promise<readonly string[]>;
}

/** What the steps of the tour share: the service, the files, and what the steps before left behind. */
export class DemoTour {
  readonly seen = {
    platformKey: '',
    fingerprint: '',
    orgId: '',
    adminKey: '',
    principalId: '',
    principalKey: '',
    performerId: '',
    performerKey: '',
    recordId: '',
    completionId: '',
    /** Of the record that waits for the performer, where the service is kept. */
    proposedId: '',
  };
  /** Of the record that is exported. */
  receipts: EnclosedReceipts = { attestations: [], missing: null };
  readonly exported: string;
  readonly tampered: string;

  constructor(
    readonly service: DemoService,
    directory: string,
    /** Of the build, to put an export into; null where there was none. */
    readonly evidencePage: () => Promise<string | null>,
  ) {
    this.exported = join(directory, 'export.json');
    this.tampered = join(directory, 'tampered.json');
  }

  post<T>(path: string, key: string, body: unknown, expected: number): Promise<T> {
    return this.service.call<T>('POST', path, key, body, expected);
  }
}

export interface Key {
  readonly apiKey: string;
}
export interface Named {
  readonly id: string;
}
export interface Entry {
  readonly hash: string;
  readonly position: number;
}
export interface RecordAnswer extends Named {
  readonly status: string;
  readonly signedStatement: Entry & { readonly signingKeyId: string };
  readonly nextActions: readonly string[];
}

export const expect = (actual: string, expected: string): void => {
  if (actual !== expected) throw new Error(`the answer says ${actual}, not ${expected}`);
};
