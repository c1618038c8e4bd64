-- An anonymous session counted as authenticated when it began, and so did any session of a member that was stored
-- without a time. Whoever opens a session now says when its member has authenticated; null is never.
alter table sessions alter column authenticated_at drop default, alter column authenticated_at drop not null;
update sessions set authenticated_at = null where member_id is null;
-- It stood for "the provider does not say when".
update sessions set authenticated_at = null where authenticated_at = '1970-01-01 00:00:00+00';
