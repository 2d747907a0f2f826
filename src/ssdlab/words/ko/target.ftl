# 대상을 가리키지 않는 입력.

target-known-forms = 쓸 수 있는 형식: /dev/..., virtual:NAME, model:NAME, file:PATH, nbd+unix:///EXPORT?socket=PATH
target-unknown-scheme = `{ $text }`: 대상이 아님. `{ $scheme }:` 형식은 없음
target-control-character = { $text }: 대상이 아님. 제어 문자 { $code } 있음
target-line-separator = { $text }: 대상이 아님. 줄 구분자 { $code } 있음
target-paragraph-separator = { $text }: 대상이 아님. 문단 구분자 { $code } 있음
target-no-utf-8 = { $text }: 대상이 아님. UTF-8이 아닌 바이트 { $code } 있음
target-plain-name = 빼거나, 평범한 이름의 링크로 파일을 지정하세요
target-no-purge-method = `{ $text }`: `{ $method }`은(는) 퍼지 방법이 아님
target-purge-methods = 쓸 수 있는 것: { $methods }
target-none = `{ $text }`: 대상이 아님
target-as-file = 파일이나 디렉터리는 `file:{ $text }` 형식으로 지정하세요
target-as-virtual = `virtual:{ $text }`: 실시간으로 fio가 재는 그 드라이브. `model:{ $text }`: 가상 시간의 같은 드라이브
target-empty-query = `{ $text }`: `?` 뒤에 아무것도 없음
target-allowed = 쓸 수 있는 것: { $parameters }
target-no-parameter = `{ $text }`: `{ $key }` 매개변수는 여기 없음
target-names-nothing = `{ $text }`: 가리키는 것이 없음
target-missing = 드라이브를 지정하지 않음
target-seed = `{ $text }`: 시드 `{ $seed }` 값이 정수가 아님
target-seed-hint = `seed=1`처럼 쓰세요
target-spec-no-text = 사양 `{ $name }`은 텍스트가 아님
target-name-a-spec = `ssdlab vdrive show demo`가 출력하는 것과 같은 TOML 파일이나 `ssdlab twin fit`이 만든 파일을 지정
target-spec-unreadable = 사양 `{ $name }` 읽을 수 없음: { $error }
target-no-spec = `{ $name }`이라는 가상 드라이브가 없음
target-did-you-mean = { $near }인가요?
target-built-in = 내장된 것: { $names }. spec.toml의 경로도 됨
target-no-nbd-uri = `{ $text }`: 유닉스 소켓의 NBD URI가 아님
target-nbd-uri-hint = `nbd+unix:///EXPORT?socket=/run/drive.sock`처럼 쓰고, 그 안의 `#`, `%`, `&`, `;`, `?`는 `%23`, `%25`, `%26`, `%3B`, `%3F`로 쓰세요
