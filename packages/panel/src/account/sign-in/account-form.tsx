/** A page before signing in: its title, its form, and links to other pages below. */
import type { ReactNode } from 'react'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { type CredentialField, CredentialsForm, type CredentialsFormProps } from '../credentials/credentials-form.tsx'

export type AccountField<N extends string> = CredentialField<N>

export interface AccountFormProps<N extends string> extends CredentialsFormProps<N> {
  title: string
  text?: ReactNode
  /** Links to other pages, below the submit button. */
  children?: ReactNode
}

export function AccountForm<N extends string>({ title, text, children, ...form }: AccountFormProps<N>) {
  useDocumentTitle(title)
  return (
    <>
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.012em]">{title}</h1>
      <p className="mt-1 mb-7 text-muted">{text}</p>
      <CredentialsForm {...form} />
      {children}
    </>
  )
}
