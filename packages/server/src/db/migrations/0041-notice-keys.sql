-- 0041-notice-keys: an event is stored once in the inbox of each user, by its key.

alter table notices add column key varchar(120);
create unique index notices_key_idx on notices (user_id, kind, key);
