/** Puts a text on the clipboard and says so. */
import { useT } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'

export function useCopy(): (text: string) => Promise<void> {
  const t = useT()
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text)
      showToast({ kind: 'success', title: t('message.copied') })
    } catch {
      // Browsers keep the clipboard from pages without https.
      showToast({ kind: 'error', title: t('account.notCopied') })
    }
  }
}
