export interface SampleUser {
  /** The provider's permanent identifier (`sub`) of the user. */
  subject: string
  userName: string
  password: string
  email: string
  emailVerified: boolean
  firstName: string
  lastName: string
}

const user = (subject: string, firstName: string, lastName: string, emailVerified = true): SampleUser => {
  const name = firstName.toLowerCase()
  return {
    subject,
    userName: `${name}@beacon.example`,
    password: `dine-with-${name}`,
    email: `${name}@beacon.example`,
    emailVerified,
    firstName,
    lastName,
  }
}

/** Customers of the sample bank. Their passwords are public: the sign-in page shows them. */
export const sampleUsers: readonly SampleUser[] = [
  user('bcn-1001', 'Ada', 'Morgan'),
  user('bcn-1002', 'Bo', 'Castellan'),
  user('bcn-1003', 'Cleo', 'Whitfield'),
  user('bcn-1004', 'Dag', 'Ibsen', false),
  user('bcn-1005', 'Esme', 'Okafor'),
]
