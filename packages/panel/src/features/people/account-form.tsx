/**
 * Fields of an account with rules of their own: role, password, and fields that users cannot change on their
 * own account.
 */
import { type Entry, type Field, resources, type Screen } from '@dala/model'
import { type ReactNode, useEffect, useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { useAccountScreen } from '../../account/credentials/accounts-here.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { FieldInput, type FieldInputProps } from '../../fields/field-input.tsx'
import { useT } from '../../lib/i18n.ts'
import { strengthOf } from '../../lib/password-strength.ts'
import type { FormSlotProps, FormSlots } from '../../resource/screen-parts.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/inputs/field.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { StrengthMeter } from '../../ui/inputs/strength-meter.tsx'
import { Switch } from '../../ui/inputs/switch.tsx'
import { AccessDialog } from './access-dialog.tsx'
import { readLinkedRecord, textOf, useReader } from './account.ts'
import { leastRoleOf, useGrantable } from './use-grantable.ts'

type InputProps = FieldInputProps & FormSlotProps

/** Form control with an explanation below it. */
function ExplainedControl({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      {children}
      <p className="text-sm text-muted">{text}</p>
    </div>
  )
}

/** Roles that the user may grant; the current role of the account is always listed. */
function RoleInput({ resource, record, value, onChange, form: { form } }: InputProps) {
  const t = useT()
  const titleOf = useTitleOf(resources.roles)
  const { isSelf } = useReader(record)
  const leastRole = leastRoleOf(resource)
  const chosenRole = readLinkedRecord(value)
  const grantableRoles = useGrantable(leastRole)
  const choices: Entry[] =
    chosenRole && !grantableRoles.some(({ id }) => id === chosenRole.id)
      ? [chosenRole, ...grantableRoles]
      : grantableRoles

  // A new account starts with the lowest role, and that alone is no unsaved change.
  const firstRole = record ? undefined : grantableRoles.find(({ type }) => type === leastRole)
  useEffect(() => {
    if (firstRole && !readLinkedRecord(form.getValues('shared.role')))
      form.resetField('shared.role', { defaultValue: firstRole })
  }, [form, firstRole])

  const select = (
    <Select
      value={chosenRole?.id ?? null}
      onValueChange={(id) => onChange(choices.find((role) => role.id === id) ?? null)}
      choices={choices.map((role) => ({ value: role.id, label: titleOf(role) }))}
      disabled={isSelf && t('error.user.ownRole')}
    />
  )
  return isSelf ? <ExplainedControl text={t('error.user.ownRole')}>{select}</ExplainedControl> : select
}

function PasswordInput(props: InputProps) {
  const { record, value, form } = props
  const t = useT()
  const { isSelf } = useReader(record)
  const names = useWatch({ control: form.form.control, name: ['shared.username', 'shared.name', 'shared.surname'] })
  const { errors } = useFormState({ control: form.form.control })
  if (isSelf) return <ExplainedControl text={t('error.user.ownPassword')} />
  const email = textOf(value)
  return (
    <div className="grid gap-1.5">
      <FieldInput {...props} />
      {email === '' ? (
        errors.shared?.password ? null : (
          <p className="text-sm text-muted">{t('people.password.new', lengthsOf(props.field))}</p>
        )
      ) : (
        <StrengthMeter strength={strengthOf(email, names.map(textOf))} />
      )}
    </div>
  )
}

/** Users change their own address with their password, because letters that reset the password go there. */
function EmailInput(props: InputProps) {
  const t = useT()
  const { isSelf } = useReader(props.record)
  if (!isSelf) return <FieldInput {...props} />
  return (
    <ExplainedControl text={t('error.user.ownEmail')}>
      <p className="wrap-anywhere">{textOf(props.value)}</p>
    </ExplainedControl>
  )
}

const lengthsOf = (field: Field) => ({
  min: field.kind === 'password' ? (field.minLength ?? 4) : 0,
  max: field.kind === 'password' ? (field.maxLength ?? 16) : 0,
})

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView?.({ block: 'center' })

/**
 * Users cannot block themselves; an account with open work needs a hand-over first, which a form cannot
 * offer.
 */
function BlockedInput({ record, value, onChange, form }: InputProps) {
  const t = useT()
  const { isSelf } = useReader(record)
  const [isAsking, setAsking] = useState(false)
  const input = (
    <Switch checked={value === true} onCheckedChange={onChange} disabled={isSelf && t('error.user.ownAccess')} />
  )
  if (isSelf) return <ExplainedControl text={t('error.user.ownAccess')}>{input}</ExplainedControl>
  const { failure } = form
  const needsHandover = value === true && failure?.kind === 'other' && failure.error?.code === 'user.open-work'
  return (
    <div className="grid justify-items-start gap-2">
      {input}
      {needsHandover && record ? (
        // The save bar has just appeared over the focused field of the form.
        <div ref={scrollIntoView} className="grid justify-items-start gap-2">
          <FieldError>{t('error.user.openWork')}</FieldError>
          <Button onClick={() => setAsking(true)}>{t('account.block.handOver')}</Button>
        </div>
      ) : null}
      {record ? (
        <AccessDialog
          kind="block"
          record={record}
          open={isAsking}
          onClose={() => setAsking(false)}
          onDone={form.save.reset}
        />
      ) : null}
    </div>
  )
}

/** Applies the password limits of this server to the fields of an account. */
function WithServerLimits({ screen, children }: { screen: Screen; children: (screen: Screen) => ReactNode }) {
  return children(useAccountScreen(screen))
}

export const accountForm: FormSlots = {
  Around: WithServerLimits,
  inputs: { role: RoleInput, email: EmailInput, password: PasswordInput, blocked: BlockedInput },
}
