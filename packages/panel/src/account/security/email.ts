/** The address of one's own account: whether it was confirmed, and which one waits for its link. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export interface EmailState {
  email: string
  confirmed: boolean
  /** The own address while it was never confirmed, or the one that shall replace it. */
  pending: string | null
}

export const emailQuery = queryOptions({
  queryKey: ['auth', 'change-email'],
  queryFn: ({ signal }) => call<EmailState>('GET', '/auth/change-email', { signal }),
  meta: { inPlace: true },
})

/** Sends a link to a new address; the account keeps its address until the link is used. */
export const changeEmail = (body: { email: string; currentPassword: string }) =>
  call('POST', '/auth/change-email', { body })

/** Sends the link to the pending address again. */
export const resendEmailLink = () => call('POST', '/auth/change-email/resend')

/** Forgets the pending address. */
export const cancelEmailChange = () => call('DELETE', '/auth/change-email')
