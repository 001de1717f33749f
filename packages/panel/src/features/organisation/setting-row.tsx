/** One setting of the form: its name and explanation, its control, and the way back to its default. */
import {
  localeNames,
  locales,
  type LocalTexts,
  organisationSettings,
  type OrganisationSetting,
  type OrganisationState,
  type OrganisationValue,
} from '@dala/model'
import Lock from 'lucide-react/icons/lock'
import type { ChangeEvent } from 'react'
import { useLocale, useT } from '../../lib/i18n.ts'
import { PictureInput } from '../../fields/picture/picture-input.tsx'
import { addressOf, fileNameOf, isUpload } from '../../fields/picture/picture-value.ts'
import { LinkButton } from '../../ui/button.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Input, Textarea } from '../../ui/inputs/input.tsx'
import { NumberInput } from '../../ui/inputs/number-input.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import type { Errors } from './edits.ts'
import { choiceText, valueText } from './value-text.ts'
import { WeekInput } from './week-input.tsx'

type SettingState = OrganisationState['settings'][number]

interface SettingRowProps {
  state: SettingState
  /** Unsaved value; null for the default, undefined without a change. */
  edit: OrganisationValue | null | undefined
  errors: Errors
  onEdit: (value: OrganisationValue | null) => void
}

export function SettingRow({ state, edit, errors, onEdit }: SettingRowProps) {
  const t = useT()
  const locale = useLocale()
  const { key, value, preset, source } = state
  const setting: OrganisationSetting = organisationSettings[key]
  const label = t(`organisation.settings.${key}`)
  const shown = edit === undefined ? value : (edit ?? preset)
  const isDefault = edit === undefined ? source === 'default' : edit === null
  return (
    <fieldset
      aria-label={label}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)_minmax(0,24rem)] gap-x-8 gap-y-2 border-t border-line py-3.5 first:border-t-0 first:pt-0 last:pb-0 max-lg:grid-cols-1"
    >
      <div>
        <h3 className="font-medium">{label}</h3>
        <p className="mt-0.5 max-w-[60ch] text-sm text-muted">{t(`organisation.help.${key}`)}</p>
      </div>
      {source === 'environment' ? (
        <div>
          <p className="tabular-nums">{valueText(t, locale, key, value)}</p>
          <p className="mt-0.5 flex items-start gap-1.5 text-sm text-muted">
            <Lock size={14} aria-hidden className="mt-[3px] shrink-0" />
            <span className="wrap-anywhere">{t('organisation.locked', { variable: setting.variable ?? '' })}</span>
          </p>
        </div>
      ) : (
        <div className="grid content-start gap-2">
          <SettingControl name={key} setting={setting} value={shown} label={label} errors={errors} onChange={onEdit} />
          {isDefault ? null : (
            <p className="text-sm text-muted">
              {t('organisation.presetIs', { value: valueText(t, locale, key, preset) })}{' '}
              <LinkButton aria-label={t('organisation.toDefaultNamed', { name: label })} onClick={() => onEdit(null)}>
                {t('organisation.toDefault')}
              </LinkButton>
            </p>
          )}
        </div>
      )}
    </fieldset>
  )
}

interface ControlProps {
  name: SettingState['key']
  setting: OrganisationSetting
  value: OrganisationValue
  label: string
  errors: Errors
  onChange: (value: OrganisationValue) => void
}

const isTexts = (value: OrganisationValue): value is LocalTexts =>
  typeof value === 'object' && value !== null && 'en' in value

function SettingControl({ name, setting, value, label, errors, onChange }: ControlProps) {
  const t = useT()
  if (setting.kind === 'switch')
    return (
      <Select
        aria-label={label}
        value={value === true ? 'yes' : 'no'}
        onValueChange={(choice) => onChange(choice === 'yes')}
        choices={[
          { value: 'yes', label: t('action.yes') },
          { value: 'no', label: t('action.no') },
        ]}
      />
    )
  if (setting.kind === 'choice')
    return (
      <Select
        aria-label={label}
        value={typeof value === 'string' ? value : ''}
        onValueChange={(choice) => onChange(choice)}
        choices={setting.options.map((option) => ({
          value: option,
          label: choiceText(name, option),
        }))}
      />
    )
  if (setting.kind === 'amount')
    return (
      <Field label={t(`organisation.units.${setting.unit}`)} error={errors[name]}>
        <NumberInput
          name={name}
          value={typeof value === 'number' ? value : null}
          onValueChange={(amount) => onChange(amount ?? Number.NaN)}
        />
      </Field>
    )
  if (setting.kind === 'week')
    return (
      <WeekInput
        name={name}
        value={typeof value === 'string' ? value : ''}
        hasError={errors[name] !== undefined}
        onChange={onChange}
      />
    )
  if (setting.kind === 'picture')
    return (
      <>
        <PictureInput
          options={{}}
          isStill
          value={value}
          onChange={(file) =>
            onChange(isUpload(file) ? { id: file.id, name: fileNameOf(file), url: addressOf(file) } : null)
          }
        />
        <FailureLine>{errors[name]}</FailureLine>
      </>
    )
  if (isTexts(value))
    return (
      <TextInputs
        name={name}
        value={value}
        isMultiline={setting.kind === 'texts' && setting.isMultiline === true}
        errors={errors}
        onChange={onChange}
      />
    )
  if (typeof value !== 'object' || value === null || !('failures' in value)) return null
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={t('organisation.attempts')} error={errors[`${name}.failures`]}>
        <NumberInput
          name={`${name}.failures`}
          value={value.failures}
          onValueChange={(failures) => onChange({ ...value, failures: failures ?? Number.NaN })}
        />
      </Field>
      <Field label={t('organisation.minutes')} error={errors[`${name}.seconds`]}>
        <NumberInput
          name={`${name}.seconds`}
          value={value.seconds / 60}
          onValueChange={(minutes) => onChange({ ...value, seconds: minutes === null ? Number.NaN : minutes * 60 })}
        />
      </Field>
    </div>
  )
}

interface TextInputsProps extends Pick<ControlProps, 'name' | 'errors' | 'onChange'> {
  value: LocalTexts
  isMultiline: boolean
}

function TextInputs({ name, value, isMultiline, errors, onChange }: TextInputsProps) {
  return (
    <div className="grid gap-2">
      {locales.map((language) => {
        const shared = {
          name: `${name}.${language}`,
          lang: language,
          autoComplete: 'off',
          value: value[language] ?? '',
          onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            onChange({ ...value, [language]: target.value === '' ? null : target.value }),
        }
        return (
          <Field key={language} label={localeNames[language]} error={errors[`${name}.${language}`]}>
            {isMultiline ? <Textarea {...shared} rows={2} className="field-sizing-content" /> : <Input {...shared} />}
          </Field>
        )
      })}
    </div>
  )
}
