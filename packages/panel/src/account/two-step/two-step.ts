/** Two-step sign-in of the user's own account: its state and the calls that change it. */
import type { TwoStepProof } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

export const twoStepQuery = queryOptions({
  queryKey: ['auth', 'two-step'],
  queryFn: ({ signal }) => callRoute('GET /api/auth/two-step', { signal }),
  meta: { inPlace: true },
})

export const beginSetup = (password: string) => callRoute('POST /api/auth/two-step', { body: { password } })
export const confirmSetup = (code: string) => callRoute('POST /api/auth/two-step/confirm', { body: { code } })
export const renewCodes = (proof: TwoStepProof) => callRoute('POST /api/auth/two-step/recovery', { body: proof })
export const turnOffTwoStep = (proof: TwoStepProof) => callRoute('DELETE /api/auth/two-step', { body: proof })
