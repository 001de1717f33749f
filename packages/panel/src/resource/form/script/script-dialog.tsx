/** The preview of a conversion to another script; its button writes the texts to the form's draft. */
import { localeNames, type Script, type ScriptLocale } from '@dala/model'
import { useRef, useState } from 'react'
import { labelOf } from '../../../fields/field-display.tsx'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { ScriptChange } from '../../script/script-change.tsx'
import type { ResourceForm } from '../use-resource-form.ts'
import { conversionsOf, convertTexts } from './conversion.ts'

interface ScriptDialogProps {
  form: ResourceForm
  locale: ScriptLocale
  script: Script
  /** The only field to convert; all texts of the language when absent. */
  name?: string | undefined
  onClose: () => void
}

export function ScriptDialog({ form, locale, script, name, onClose }: ScriptDialogProps) {
  const t = useT()
  const convertButton = useRef<HTMLButtonElement>(null)
  const [isShown, setShown] = useState(true)
  const [conversions] = useState(() => conversionsOf(form, locale, script, name))
  const convert = () => {
    convertTexts({ form, locale, script, conversions }, t)
    setShown(false)
  }
  const { resource } = form
  return (
    <Dialog
      isMedium
      open={isShown}
      onOpenChange={setShown}
      onClosed={onClose}
      title={
        name === undefined
          ? t(`script.titleLanguage.${script}`, { language: localeNames[locale] })
          : t(`script.titleField.${script}`, { field: labelOf(resource, name) })
      }
      description={t('script.about')}
      initialFocus={convertButton}
      actions={
        <>
          <Button onClick={() => setShown(false)}>{t('action.cancel')}</Button>
          <Button
            ref={convertButton}
            kind="primary"
            disabled={conversions.length === 0 && t(`script.nothing.${script}`)}
            onClick={convert}
          >
            {t('script.convert', { count: conversions.length })}
          </Button>
        </>
      }
    >
      {conversions.length === 0 ? (
        <p className="text-muted">{t(`script.nothing.${script}`)}</p>
      ) : (
        <ScrollRegion
          className="max-h-[50dvh] divide-y divide-line overflow-y-auto rounded-2 border border-line"
          aria-label={t('script.preview')}
        >
          {conversions.map((conversion) => (
            <ScriptChange
              key={conversion.name}
              {...conversion}
              label={labelOf(resource, conversion.name)}
              locale={locale}
              script={script}
            />
          ))}
        </ScrollRegion>
      )}
    </Dialog>
  )
}
