-- The authorization code of a message. Messages with the same card and code may be about one purchase under two ids
-- (docs/decisions/081); a column, because row-level security prevents the use of an index on an expression of the body.
alter table feed_messages add column auth_code text
  generated always as (nullif(regexp_replace(body -> 'transaction' ->> 'authCode', '^\s+|\s+$', '', 'g'), '')) stored;
create index feed_messages_by_auth_code on feed_messages (partner_id, card_token, auth_code) where auth_code is not null;
