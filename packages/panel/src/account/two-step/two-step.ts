/** Two-step sign-in of one's own account: how it stands, and what changes it. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export interface TwoStepState {
  on: boolean
  since: string | null
  recovery_left: number
  /** The role does not let it go. */
  required: boolean
}

/** What is shown once and never again. */
export interface Setup {
  secret: string
  uri: string
  recovery: string[]
}

export interface Proof {
  password: string
  code: string
}

export const twoStepQuery = queryOptions({
  queryKey: ['auth', 'two-step'],
  queryFn: ({ signal }) => call<TwoStepState>('GET', '/auth/two-step', { signal }),
  meta: { inPlace: true },
})

export const beginSetup = (password: string) => call<Setup>('POST', '/auth/two-step', { body: { password } })
export const confirmSetup = (code: string) => call<{ ok: true }>('POST', '/auth/two-step/confirm', { body: { code } })
export const renewCodes = (proof: Proof) =>
  call<{ recovery: string[] }>('POST', '/auth/two-step/recovery', { body: proof })
export const turnOff = (proof: Proof) => call<{ ok: true }>('DELETE', '/auth/two-step', { body: proof })
