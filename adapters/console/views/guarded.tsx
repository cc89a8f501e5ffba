import { Component, type ComponentChildren } from 'preact';

interface GuardedProps {
  /** What is shown; with another one it is tried anew. */
  readonly of: unknown;
  readonly name: string;
  readonly children: ComponentChildren;
}

interface GuardedState {
  readonly failedOf: unknown;
  readonly isFailed: boolean;
}

/** An answer that is not what the interface says fails by itself, in a sentence, and not the page with it. */
export class Guarded extends Component<GuardedProps, GuardedState> {
  override state: GuardedState = { failedOf: null, isFailed: false };

  override componentDidCatch(): void {
    this.setState({ isFailed: true, failedOf: this.props.of });
  }

  override render({ of, name, children }: GuardedProps, { isFailed, failedOf }: GuardedState) {
    if (!isFailed || failedOf !== of) return children;
    return (
      <p role="alert" class="failed">
        What the service answered is not what its interface says, so {name} cannot be shown. Look at
        the address, and at what stands before the service.
      </p>
    );
  }
}
