/** One thing that was looked at. */
export interface CertificateCheck {
  what: string;
  /** The object of comparison. */
  against: string;
  /** Why it is wrong; absent: it is right, or open. */
  wrong?: string;
  /** Why there is nothing here to compare it with: then it is not said to hold. */
  open?: string;
}

/** The objections to a certificate: each failed check, and each without anything to compare but the file that it may be about. */
export function objectionsAmong(checks: readonly CertificateCheck[]): CertificateCheck[] {
  return checks.filter(({ what, wrong, open }) => wrong !== undefined || (open !== undefined && what !== "subject"));
}
