-- An authorization code is the same in capitals and small letters: a file writes A1B2C3 where a message writes a1b2c3.
-- Only the letters A to Z change, as in the code that reads messages. PostgreSQL 15 cannot give a column another
-- expression: it is made again.
alter table feed_messages drop column auth_code;
alter table feed_messages add column auth_code text generated always as (
  upper(nullif(regexp_replace(body -> 'transaction' ->> 'authCode', '^\s+|\s+$', '', 'g'), '') collate "C")) stored;
create index feed_messages_by_auth_code on feed_messages (partner_id, card_token, auth_code) where auth_code is not null;

alter table transactions no force row level security;
update transactions set auth_code = upper(auth_code collate "C") where auth_code <> upper(auth_code collate "C");
alter table transactions force row level security;
