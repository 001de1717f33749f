-- rolling-update: yes
-- 0064-account-scripts: the script in which an account receives letters, notices and files.

alter table "users" add column "script" varchar(255) not null default 'latin';
alter table "users" add constraint "users_script_check" check ("script" in ('latin', 'cyrillic'));

-- Letters, files, pages and schedules have the script with their language: uz-Cyrl.
alter table mails drop constraint mails_locale_check;
alter table mails alter column locale type varchar(8);
alter table mails add constraint mails_locale_check check (locale in ('en', 'ru', 'uz', 'uz-Cyrl', 'kaa', 'kaa-Cyrl'));
alter table report_files alter column locale type varchar(8);
alter table report_shares alter column locale type varchar(8);
alter table report_schedules alter column locale type varchar(8);
