/** Fields of an account that have rules of their own: its role, its password, and what nobody changes on their own one. */
import { type Entry, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { resourceQueries } from '../../api/resource-queries.ts'
import { meQuery } from '../../api/session.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { FieldInput, type FieldInputProps } from '../../fields/field-input.tsx'
import { useT } from '../../lib/i18n.ts'
import { strengthOf } from '../../lib/password-strength.ts'
import type { FormPartProps, FormParts } from '../../resource/screen-parts.ts'
import { Select } from '../../ui/select.tsx'
import { StrengthMeter } from '../../ui/strength-meter.tsx'
import { Switch } from '../../ui/switch.tsx'
import { linked, textOf, useReader } from './account.ts'
import { grantableRoles } from './grantable.ts'

type InputProps = FieldInputProps & FormPartProps

/** A control with a line below it that says why it is as it is. */
function Explained({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      {children}
      <p className="text-sm text-muted">{text}</p>
    </div>
  )
}

/** The roles that the reader may give; the one the account has stays on show. */
function RoleInput({ resource, record, value, onChange, form: { form } }: InputProps) {
  const t = useT()
  const titleOf = useTitleOf(resources.roles)
  const { isSelf } = useReader(record)
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery(
    resourceQueries(resources.roles).list({
      fields: ['name', 'type'],
      sort: 'id:asc',
      pagination: { pageSize: 100, withCount: false },
    }),
  )
  const least = resource.name === 'staff' ? 'admin' : 'authenticated'
  const allowed: readonly unknown[] = grantableRoles(me?.role?.type ?? 'public', least)
  const chosen = linked(value)
  const offered = (data?.entries ?? []).filter((role) => allowed.includes(role.type))
  const choices: Entry[] = chosen && !offered.some(({ id }) => id === chosen.id) ? [chosen, ...offered] : offered

  // A new account starts with the least role, and that alone is no change to be saved.
  const first = record ? undefined : offered.find(({ type }) => type === least)
  useEffect(() => {
    if (first && !linked(form.getValues('shared.role'))) form.resetField('shared.role', { defaultValue: first })
  }, [form, first])

  const select = (
    <Select
      value={chosen?.id ?? null}
      onValueChange={(id) => onChange(choices.find((role) => role.id === id) ?? null)}
      choices={choices.map((role) => ({ value: role.id, label: titleOf(role) }))}
      disabled={isSelf && t('error.user.ownRole')}
    />
  )
  return isSelf ? <Explained text={t('error.user.ownRole')}>{select}</Explained> : select
}

function PasswordInput(props: InputProps) {
  const { record, value, form } = props
  const t = useT()
  const { isSelf } = useReader(record)
  const names = useWatch({ control: form.form.control, name: ['shared.username', 'shared.name', 'shared.surname'] })
  const { errors } = useFormState({ control: form.form.control })
  if (isSelf) return <Explained text={t('error.user.ownPassword')} />
  const typed = textOf(value)
  return (
    <div className="grid gap-1.5">
      <FieldInput {...props} />
      {typed === '' ? (
        errors.shared?.password ? null : (
          <p className="text-sm text-muted">{t('people.password.new', { min: 4, max: 16 })}</p>
        )
      ) : (
        <StrengthMeter strength={strengthOf(typed, names.map(textOf))} />
      )}
    </div>
  )
}

/** Nobody blocks their own account. */
function BlockedInput({ record, value, onChange }: InputProps) {
  const t = useT()
  const { isSelf } = useReader(record)
  const input = (
    <Switch checked={value === true} onCheckedChange={onChange} disabled={isSelf && t('error.user.ownAccess')} />
  )
  return isSelf ? <Explained text={t('error.user.ownAccess')}>{input}</Explained> : input
}

export const accountForm: FormParts = {
  inputs: { role: RoleInput, password: PasswordInput, blocked: BlockedInput },
}
