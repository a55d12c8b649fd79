export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Effort {
  /** True for the published figures; false for a quick look at fewer cases. */
  readonly isExtended: boolean;
  readonly program: string;
}
