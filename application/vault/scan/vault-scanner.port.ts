import type { ScanProgress, ScanResult } from '../../ports/scan-result.ts';

export interface ScanOptions {
  /** SHA-256 of the SPKI of a key that is trusted, lowercase hex: that which this process signs with. */
  readonly fingerprint: string;
  /** Called every second or so. */
  readonly onProgress: (progress: ScanProgress) => void;
  /** Ends the scan early. */
  readonly stopping: AbortSignal;
}

/** Scans the whole vault, aside: the calling thread goes on with its own work. */
export interface VaultScanner {
  /** @throws Error where the scan did not come to its end, and the reason of `stopping` where that is why. */
  scan(options: ScanOptions): Promise<ScanResult>;
}
