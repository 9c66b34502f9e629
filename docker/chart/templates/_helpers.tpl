{{/* Name of the objects: `errata` for a release with this name, `shop-errata` for `shop`. At most 52 characters: the
StatefulSet's pods get a label with its name and a hash. It has the word `errata`, by which an alert knows the claims. */}}
{{- define "errata.name" -}}
{{- $name := .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- contains "errata" $name | ternary $name (printf "%s-errata" ($name | trunc 45 | trimSuffix "-")) -}}
{{- end -}}

{{/* Labels of pods: a release selects its own ones only. */}}
{{- define "errata.selector" -}}
{ app.kubernetes.io/name: errata, app.kubernetes.io/instance: {{ quote .Release.Name }} }
{{- end -}}

{{/* Labels of all objects: those of pods, and what Kubernetes and Helm recommend. */}}
{{- define "errata.labels" -}}
{{- $labels := include "errata.selector" . | fromYaml -}}
{{- $labels = set $labels "app.kubernetes.io/part-of" "errata" -}}
{{- $labels = set $labels "app.kubernetes.io/version" .Chart.AppVersion -}}
{{- $labels = set $labels "app.kubernetes.io/managed-by" .Release.Service -}}
{{- set $labels "helm.sh/chart" (printf "errata-%s" .Chart.Version | replace "+" "_") | toJson -}}
{{- end -}}

{{/* A changed setting changes the name, which rolls the pods. The hash is that of kustomize, which leaves the name out. */}}
{{- define "errata.configMap" -}}
{{- $hash := dict "kind" "ConfigMap" "name" "" "data" (.Values.settings | default dict) | toJson | sha256sum | trunc 10 -}}
{{- $hash = $hash | replace "0" "g" | replace "1" "h" | replace "3" "k" | replace "a" "m" | replace "e" "t" -}}
{{- include "errata.name" . }}-{{ $hash -}}
{{- end -}}
