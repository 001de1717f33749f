/**
 * The e-mail of the user's own account: whether it is confirmed, and the address that waits for confirmation.
 */
import type { NewEmail } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

export const emailQuery = queryOptions({
  queryKey: ['auth', 'change-email'],
  queryFn: ({ signal }) => callRoute('GET /api/auth/change-email', { signal }),
  meta: { inPlace: true },
})

/** Sends a link to a new address; the account keeps its address until the link is used. */
export const changeEmail = (body: NewEmail) => callRoute('POST /api/auth/change-email', { body })

/** Sends the confirming link to the pending address again. */
export const resendEmailLink = () => callRoute('POST /api/auth/change-email/resend', {})

/** Cancels the pending e-mail address. */
export const cancelEmailChange = () => callRoute('DELETE /api/auth/change-email', {})
