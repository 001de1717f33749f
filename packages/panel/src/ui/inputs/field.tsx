/**
 * A labelled field: the label above, "required" as text, help, and the error with its icon, connected for
 * assistive technology.
 */
import CircleAlert from 'lucide-react/icons/circle-alert'
import { createContext, type ReactNode, use, useId } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'

/** Attributes that a field gives to the control inside it. */
export interface FieldControl {
  id: string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
  /** Whether the control can be read and copied, but not changed. */
  readOnly?: true
}

interface FieldIds extends FieldControl {
  labelId: string | undefined
}

const noField: FieldIds = {
  id: undefined,
  labelId: undefined,
  'aria-describedby': undefined,
  'aria-invalid': undefined,
  'aria-required': undefined,
}
const FieldContext = createContext<FieldIds>(noField)

/** Ids and states of the surrounding field, ready to spread on its control. */
export function useFieldControl(): FieldControl {
  const { labelId: _label, ...control } = use(FieldContext)
  return control
}

/** Id of the field's label, for groups that `htmlFor` cannot reach. */
export function useFieldLabel(): string | undefined {
  return use(FieldContext).labelId
}

export interface FieldProps {
  label: ReactNode
  required?: boolean | undefined
  help?: ReactNode
  error?: string | undefined
  /** Content at the end of the field's label line: the language of the field, a link. */
  aside?: ReactNode
  /** Whether the control is a group (radio, chips): the label refers to it by id instead of by `htmlFor`. */
  group?: boolean
  /** Whether text controls inside the field can be read and copied, but not changed. */
  readOnly?: boolean
  className?: string | undefined
  children: ReactNode
}

export function Field({
  label,
  required = false,
  help,
  error,
  aside,
  group = false,
  readOnly = false,
  className,
  children,
}: FieldProps) {
  const t = useT()
  const id = useId()
  const ids: FieldIds = {
    id,
    labelId: `${id}-label`,
    'aria-describedby': cx(help ? `${id}-help` : undefined, error ? `${id}-error` : undefined) || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': required || undefined,
    ...(readOnly && { readOnly: true }),
  }
  const LabelElement = group ? 'span' : 'label'
  return (
    <div className={cx('grid min-w-0 content-start gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3 self-end">
        <LabelElement id={ids.labelId} {...(group ? {} : { htmlFor: id })} className="text-sm font-medium">
          {label}
          {required ? <span className="font-normal text-muted"> {t('a11y.required')}</span> : null}
        </LabelElement>
        {aside}
      </div>
      <div className="grid min-w-0 content-start gap-1.5">
        <FieldContext value={ids}>{children}</FieldContext>
        {help ? (
          <p id={`${id}-help`} className="text-sm text-muted">
            {help}
          </p>
        ) : null}
        {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      </div>
    </div>
  )
}

/** Error of a field as text and with an icon, never by colour alone. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm font-medium text-danger-text">
      <CircleAlert size={15} aria-hidden className="mt-[3px] shrink-0" />
      <span>{children}</span>
    </p>
  )
}

/**
 * Reason why an action failed, shown below its fields; announced when it appears, empty without a failure.
 */
export function FailureLine({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <div role="alert">
      <FieldError>{children}</FieldError>
    </div>
  )
}
