import { Component, type ReactNode } from 'react'

interface State {
  hasFailed: boolean
}

/** Content that a page can do without: nothing is shown when it cannot be loaded or rendered. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}
